import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { type FormEvent, useState } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import css from "../dashboard.module.css";
import { holdsCopy } from "./copy.ts";
import { HeldCopies } from "./HeldCopies.tsx";
import { useHoldAnswers } from "./use-hold-answers.ts";

export type Hold = RouterOutputs["admin"]["holds"]["list"]["items"][number];

/** The API's least length of a reason. */
const REASON_MIN_CHARS = 10;

/** One hold: how long it lasts, who asks to open it, and what staff can do with it. */
export function HoldPanel({ hold }: { hold: Hold }) {
  const copy = useCopy(holdsCopy);
  const [locale] = useLocale();
  const answers = useHoldAnswers();
  const start = trpc.admin.holds.start.useMutation(answers);
  const extend = trpc.admin.holds.extend.useMutation(answers);
  const size = `${Math.max(1, Math.round(hold.bytes / 1024)).toLocaleString(locale)} KB`;
  return (
    <>
      <p>
        <strong>{copy.until(dateAndTime(hold.tsUntil, locale))}</strong>{" "}
        <span className={css.muted}>
          · {copy.copies(hold.copies, size)} · <code>{hold.holdRef.slice(0, 8)}</code>
        </span>
      </p>
      <p className={css.statement}>{hold.reason}</p>
      {hold.tipNumber !== null && hold.tsTip !== null && (
        <p>{copy.reported(hold.tipNumber, dateAndTime(hold.tsTip, locale))}</p>
      )}
      {!hold.confirmed && (
        <>
          <p className={css.muted}>{copy.byItself}</p>
          <ReasonForm
            label={copy.reason}
            act={copy.keep}
            busy={start.isPending}
            onSubmit={(reason) => start.mutate({ id: hold.reportId, reason })}
          />
        </>
      )}
      <Opening hold={hold} />
      {hold.extensible && (
        <ReasonForm
          label={copy.whyLonger}
          act={copy.extend}
          busy={extend.isPending}
          onSubmit={(reason) => extend.mutate({ holdRef: hold.holdRef, reason })}
        />
      )}
    </>
  );
}

/** One asks, another agrees, both look. */
function Opening({ hold }: { hold: Hold }) {
  const copy = useCopy(holdsCopy);
  const [locale] = useLocale();
  const answers = useHoldAnswers();
  const ask = trpc.admin.holds.ask.useMutation(answers);
  const agree = trpc.admin.holds.agree.useMutation(answers);
  const refuse = trpc.admin.holds.refuse.useMutation(answers);
  const { request } = hold;
  if (!request) {
    return (
      <ReasonForm
        label={copy.whyOpen}
        act={copy.ask}
        busy={ask.isPending}
        onSubmit={(reason) => ask.mutate({ holdRef: hold.holdRef, reason })}
      />
    );
  }
  const { requestRef } = request;
  const until = dateAndTime(request.tsUntil, locale);
  const isMine = request.mine === "asked";
  const end = (label: string) => (
    <Button busy={refuse.isPending} onClick={() => refuse.mutate({ requestRef })}>
      {label}
    </Button>
  );
  if (request.open) {
    return (
      <>
        <Banner>{copy.isOpen(until)}</Banner>
        <HeldCopies holdRef={hold.holdRef}>{end(copy.closeAgain)}</HeldCopies>
      </>
    );
  }
  return (
    <>
      <Banner tone="warn">{isMine ? copy.asked(until) : copy.wantsOpen(until)}</Banner>
      <p className={css.statement}>{request.reason}</p>
      <div className={css.acts}>
        {!isMine && (
          <Button variant="primary" busy={agree.isPending} onClick={() => agree.mutate({ requestRef })}>
            {copy.agree}
          </Button>
        )}
        {end(isMine ? copy.withdraw : copy.refuse)}
      </div>
    </>
  );
}

interface ReasonFormProps {
  label: string;
  act: string;
  busy: boolean;
  onSubmit: (reason: string) => void;
}

export function ReasonForm({ label, act, busy, onSubmit }: ReasonFormProps) {
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(reason);
    setReason("");
  };
  return (
    <form className={css.reasonLine} onSubmit={submit}>
      <TextField label={label} value={reason} onChange={(event) => setReason(event.target.value)} />
      <Button type="submit" busy={busy} disabled={reason.trim().length < REASON_MIN_CHARS}>
        {act}
      </Button>
    </form>
  );
}
