import { NOTICE_LOCATION_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import type { NoticeReceipt } from "@lambda/contract/notices";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { Skeleton } from "@lambda/ui/skeleton";
import { TextArea } from "@lambda/ui/text-area";
import { useEffect, useState } from "react";
import { useParams } from "wouter";
import { errorStatusOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { currentAddress } from "../../../routing/address.ts";
import { useNoticesCopy } from "./copy.ts";
import { FiledReceipt } from "./FiledReceipt.tsx";
import css from "./notices.module.css";
import { SenderFields } from "./SenderFields.tsx";
import { useNoticeForm } from "./use-notice-form.ts";

/** The form that reports illegal content or, if the URL has a notice's number, the receipt of that notice. */
export default function NoticeScreen() {
  const { ref = "" } = useParams<{ ref?: string }>();
  return ref === "" ? <IllegalNotice /> : <Receipt key={ref} number={ref} />;
}

const CATEGORIES = ["minor", "threat", "hate", "harassment", "scam", "impersonation", "other"] as const;

/** The form that reports illegal content. Needs no account. */
function IllegalNotice() {
  const copy = useNoticesCopy();
  const form = useNoticeForm("illegal");
  const { fields, set, errorOf } = form;
  if (form.filed) return <FiledReceipt filed={form.filed} />;
  return (
    <Form className={`stack gap-4 full-width measure letter ${css.notice}`} onSubmit={form.submit} noValidate>
      <h2 className="type-display">{copy.illegal.title}</h2>
      <p className="type-lead">{copy.illegal.lead}</p>
      <p>
        {copy.illegal.intimate} <Link href="/remove-image">{copy.illegal.intimateLink}</Link>
      </p>
      <RadioGroup
        label={copy.illegal.category}
        value={CATEGORIES.find((category) => category === fields.category)}
        options={CATEGORIES.map((value) => ({ value, label: copy.illegal.categories[value] }))}
        error={errorOf("category", copy.categoryRequired)}
        onChange={(category) => set({ category })}
      />
      <TextArea
        label={copy.illegal.location}
        help={copy.illegal.locationHelp}
        max={NOTICE_LOCATION_MAX_CHARS}
        {...form.field("location", copy.illegal.locationRequired)}
      />
      <TextArea
        label={copy.illegal.explanation}
        help={copy.illegal.explanationHelp}
        minRows={5}
        max={TEXT_MAX_CHARS}
        {...form.field("explanation", copy.illegal.explanationRequired)}
      />
      {fields.category === "minor" && <Banner>{copy.illegal.anonymous}</Banner>}
      <SenderFields form={form} faith={copy.illegal.faith} submit={copy.illegal.submit} />
    </Form>
  );
}

/** A mail program may put a full stop or a parameter behind it. */
const LINK = /^#([\w-]{43})(?:\.([\w-]{43})(\.no)?)?/;

/**
 * The state of a notice for anyone with its link. The URL's hash is the secret; in the emailed links a code that
 * confirms the address follows, and in one of them the word "no", to say that its owner did not file it.
 */
function Receipt({ number }: { number: string }) {
  const [[, secret = "", code, no]] = useState(() => LINK.exec(currentAddress().hash) ?? []);
  if (code !== undefined && no !== undefined) return <DisownNotice number={number} secret={secret} code={code} />;
  return <OpenedReceipt number={number} secret={secret} code={code} />;
}

interface ReceiptLink {
  number: string;
  secret: string;
  code: string | undefined;
}

function OpenedReceipt({ number, secret, code }: ReceiptLink) {
  const copy = useNoticesCopy().receipt;
  const { mutate: open, ...receipt } = trpc.notices.receipt.useMutation();
  useEffect(() => {
    open({ ref: number, secret, ...(code !== undefined && { code }) });
  }, [open, number, secret, code]);
  const [updated, setUpdated] = useState<NoticeReceipt>();
  const current = updated ?? receipt.data;
  if (receipt.isError) {
    const status = errorStatusOf(receipt.error);
    return (
      <div className={`stack gap-4 full-width measure letter ${css.notice}`}>
        <h2 className="type-display">{copy.title}</h2>
        <Problem text={status === 404 || status === 400 ? copy.missing : errorText(receipt.error)} />
      </div>
    );
  }
  if (!current) return <Skeleton shape="rows" label={copy.loading} />;
  return <ReceiptView receipt={current} secret={secret} onAnswered={setUpdated} />;
}

function DisownNotice({ number, secret, code }: ReceiptLink & { code: string }) {
  const copy = useNoticesCopy().receipt;
  const disown = trpc.notices.disown.useMutation();
  const isConfirmed = errorStatusOf(disown.error) === 409;
  return (
    <div className={`stack gap-4 full-width measure letter ${css.notice}`}>
      <h2 className="type-display">{copy.title}</h2>
      <p>{copy.disown.lead}</p>
      <div role="status">
        {disown.isSuccess && <Banner tone="success">{copy.disown.done}</Banner>}
        {disown.isError && (
          <Banner tone="danger">{isConfirmed ? copy.disown.confirmed : errorText(disown.error)}</Banner>
        )}
      </div>
      {!disown.isSuccess && (
        <Button
          variant="primary"
          busy={disown.isPending}
          label={copy.disown.button}
          onClick={() => disown.mutate({ ref: number, secret, code })}
        />
      )}
    </div>
  );
}

interface ReceiptViewProps {
  receipt: NoticeReceipt;
  secret: string;
  onAnswered: (receipt: NoticeReceipt) => void;
}

function ReceiptView({ receipt, secret, onAnswered }: ReceiptViewProps) {
  const copy = useNoticesCopy().receipt;
  return (
    <div className={`stack gap-4 full-width measure letter ${css.notice}`}>
      <h2 className="type-display">{copy.title}</h2>
      {!receipt.confirmed && <Banner tone="warn">{copy.unconfirmed}</Banner>}
      <p className="type-lead" role="status">
        {copy.states[receipt.state]}
      </p>
      <ul className="stack gap-1 plain-list muted">
        <li>
          {copy.number} <code>{receipt.ref}</code>
        </li>
        <li>{copy.sent(dateAndTime(receipt.tsCreated))}</li>
        {receipt.tsDecided ? (
          <li>{copy.decided(dateAndTime(receipt.tsDecided))}</li>
        ) : (
          receipt.tsDue && <li>{copy.due(dateAndTime(receipt.tsDue))}</li>
        )}
      </ul>
      {receipt.reason !== "" && (
        <section className={"stack gap-2 letter"}>
          <h3>{copy.reason}</h3>
          <p className="break-anywhere pre-line">{receipt.reason}</p>
        </section>
      )}
      {receipt.counter && <Banner>{copy.counter[receipt.counter]}</Banner>}
      {receipt.messages.map((message) => (
        <blockquote key={message.tsCreated + message.by} className="quoted break-anywhere pre-line">
          <small className="block">{message.by === "staff" ? copy.staff : copy.you}</small>
          {message.text}
        </blockquote>
      ))}
      {receipt.state === "asked" && <AnswerForm number={receipt.ref} secret={secret} onAnswered={onAnswered} />}
      <p className="muted">{copy.automated}</p>
      {receipt.tsDecided && <p className="muted">{copy.redress}</p>}
    </div>
  );
}

function AnswerForm({
  number,
  secret,
  onAnswered,
}: { number: string } & Pick<ReceiptViewProps, "secret" | "onAnswered">) {
  const copy = useNoticesCopy().receipt;
  const [text, setText] = useState("");
  const answer = trpc.notices.answer.useMutation({ onSuccess: onAnswered });
  return (
    <Form
      className={"stack gap-2 letter"}
      onSubmit={() => {
        if (text.trim() !== "") answer.mutate({ ref: number, secret, text });
      }}
    >
      <TextArea
        label={copy.answer}
        max={TEXT_MAX_CHARS}
        value={text}
        error={answer.isError ? errorText(answer.error) : undefined}
        onValue={setText}
      />
      <Button type="submit" variant="primary" busy={answer.isPending} label={copy.send} />
    </Form>
  );
}
