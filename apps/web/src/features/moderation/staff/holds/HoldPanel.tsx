import { HOLD_REASON_MIN_CHARS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { type ReactNode, useState } from "react";
import { type RouterOutputs, trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { useAction } from "../../../../components/use-action.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { saveFile } from "../../../../device/save-file.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { dateAndTime } from "../../../../format/time.ts";
import { useDashboardCopy } from "../copy.ts";
import css from "../dashboard.module.css";
import { Decide, OnDemand } from "../file-parts.tsx";
import { useHoldsCopy } from "./copy.ts";

export type Hold = RouterOutputs["admin"]["holds"]["list"]["items"][number];

export function HoldPanel({ hold }: { hold: Hold }) {
  const copy = useHoldsCopy();
  const action = useAction({ done: useDashboardCopy().done, refresh: [trpc.admin.holds] });
  const start = trpc.admin.holds.start.useMutation(action);
  const extend = trpc.admin.holds.extend.useMutation(action);
  const { holdRef } = hold;
  const size = `${Math.max(1, Math.round(hold.bytes / 1024)).toLocaleString(currentLocale())} KB`;
  return (
    <>
      <p>
        <strong>{copy.until(dateAndTime(hold.tsUntil))}</strong>{" "}
        <span className="muted">
          · {copy.copies(hold.copies, size)} · <code>{holdRef.slice(0, 8)}</code>
        </span>
      </p>
      <p className={`stack gap-1 items-start quoted pre-line ${css.statement}`}>{hold.reason}</p>
      {hold.tipNumber !== null && hold.tsTip !== null && (
        <p>{copy.reported(hold.tipNumber, dateAndTime(hold.tsTip))}</p>
      )}
      {!hold.confirmed && (
        <>
          <p className="muted">{copy.byItself}</p>
          <ReasonForm label={copy.reason} submitLabel={copy.keep} mutation={start} input={{ id: hold.reportId }} />
        </>
      )}
      <OpenRequest hold={hold} />
      {hold.extensible && (
        <ReasonForm label={copy.whyLonger} submitLabel={copy.extend} mutation={extend} input={{ holdRef }} />
      )}
    </>
  );
}

/** Opening a hold takes two admins: one requests it, another agrees, then both can read it for a day. */
function OpenRequest({ hold }: { hold: Hold }) {
  const copy = useHoldsCopy();
  const action = useAction({ done: useDashboardCopy().done, refresh: [trpc.admin.holds] });
  const ask = trpc.admin.holds.ask.useMutation(action);
  const agree = trpc.admin.holds.agree.useMutation(action);
  const refuse = trpc.admin.holds.refuse.useMutation(action);
  const { holdRef, request } = hold;
  if (!request) {
    return <ReasonForm label={copy.whyOpen} submitLabel={copy.ask} mutation={ask} input={{ holdRef }} />;
  }
  const { requestRef } = request;
  const until = dateAndTime(request.tsUntil);
  const isMine = request.mine === "asked";
  const closeButton = (label: string) => <Decide mutation={refuse} input={{ requestRef }} label={label} />;
  if (request.open) {
    return (
      <>
        <Banner>{copy.isOpen(until)}</Banner>
        <HeldCopies holdRef={holdRef}>{closeButton(copy.closeAgain)}</HeldCopies>
      </>
    );
  }
  return (
    <>
      <Banner tone="warn">{isMine ? copy.asked(until) : copy.wantsOpen(until)}</Banner>
      <p className={`stack gap-1 items-start quoted pre-line ${css.statement}`}>{request.reason}</p>
      <div className="wrap gap-3 align-end">
        {!isMine && <Decide variant="primary" mutation={agree} input={{ requestRef }} label={copy.agree} />}
        {closeButton(isMine ? copy.withdraw : copy.refuse)}
      </div>
    </>
  );
}

interface ReasonFormProps<Input> {
  label: string;
  submitLabel: string;
  mutation: {
    readonly isPending: boolean;
    readonly mutate: (input: Input & { reason: string }, options: { onSuccess: () => void }) => void;
  };
  input: Input;
}

/** Sends an input with its reason, which stays in the field if the call fails. */
export function ReasonForm<Input>({ label, submitLabel, mutation, input }: ReasonFormProps<Input>) {
  const [reason, setReason] = useState("");
  return (
    <Form
      className={`wrap gap-3 align-end ${css.reasonLine}`}
      onSubmit={() => mutation.mutate({ ...input, reason }, { onSuccess: () => setReason("") })}
    >
      <TextField autoComplete="off" label={label} value={reason} onValue={setReason} />
      <Button
        type="submit"
        busy={mutation.isPending}
        disabled={reason.trim().length < HOLD_REASON_MIN_CHARS}
        label={submitLabel}
      />
    </Form>
  );
}

type Content = RouterOutputs["admin"]["holds"]["read"];

/** Loads the copies of an open hold on request, because each read is audited. They are kept in memory only. */
function HeldCopies({ holdRef, children }: { holdRef: string; children: ReactNode }) {
  const copy = useHoldsCopy();
  const [content, setContent] = useState<Content>();
  const read = trpc.admin.holds.read.useMutation({ onSuccess: setContent, onError: useFailureToast() });
  return (
    <>
      <div className="wrap gap-3 align-end">
        {!content && <Decide variant="primary" mutation={read} input={{ holdRef }} label={copy.look} />}
        {children}
      </div>
      {content?.records.map((record) => (
        <Record key={record.tsKept} holdRef={holdRef} record={record} />
      ))}
      {content?.pictures.map((picture) => (
        <HeldPicture key={picture.mac} holdRef={holdRef} picture={picture} />
      ))}
    </>
  );
}

function Record({ holdRef, record }: { holdRef: string; record: Content["records"][number] }) {
  const copy = useHoldsCopy();
  const text = JSON.stringify(JSON.parse(record.json), null, 2);
  return (
    <details className={css.record}>
      <summary>{copy.record(dateAndTime(record.tsKept))}</summary>
      <pre>{text}</pre>
      <Button
        label={copy.download}
        onClick={() => saveFile(new Blob([text], { type: "application/json" }), `hold-${holdRef}.json`)}
      />
    </details>
  );
}

function HeldPicture({ holdRef, picture }: { holdRef: string; picture: Content["pictures"][number] }) {
  const copy = useHoldsCopy();
  const { mac, kind, evidenceId, isVoice } = picture;
  const id = evidenceId ?? 0;
  const src = `/api/admin/hold/${holdRef}/picture/${mac}`;
  const label = isVoice ? copy.playVoice(id) : copy.showPicture(id);
  return (
    <div>
      <OnDemand label={kind === "original" ? `${label}, ${copy.original}` : label}>
        {isVoice ? (
          // biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered
          <audio src={src} controls autoPlay aria-label={copy.voice(id)} />
        ) : (
          <img src={src} alt={copy.picture(id)} className={css.picture} />
        )}
      </OnDemand>
    </div>
  );
}
