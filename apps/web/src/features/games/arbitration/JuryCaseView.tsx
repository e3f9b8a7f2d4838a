import type { JuryCase, JurySanction, RedactedEvidence, Verdict } from "@lambda/contract/arbitration";
import { JURY_REASON_MIN_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { RadioGroup } from "@lambda/ui/radio-group";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { Form } from "../../../components/Form.tsx";
import { refreshAfter } from "../../../components/use-action.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import css from "./arbitration.module.css";
import { useArbitrationCopy } from "./copy.ts";

export function JuryCaseView({ juryCase }: { juryCase: JuryCase }) {
  const copy = useArbitrationCopy();
  const rules = useCopy(ruleCopy);
  return (
    <article className="stack gap-4">
      <header>
        <h2>{copy.caseOf(rules[juryCase.category])}</h2>
        <p className="muted">
          {copy.seats(juryCase.votes, juryCase.seats)} · {copy.answerBy(dateAndTime(juryCase.tsAnswerBy))}
        </p>
      </header>
      {juryCase.round > 1 && <Banner>{copy.second}</Banner>}
      {juryCase.complaints.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frozen texts never change their order
        <blockquote key={index} className={`stack gap-1 quoted pre-line ${css.statement}`}>
          <strong className="block muted type-mark regular">{copy.complaint}</strong>
          {text}
        </blockquote>
      ))}
      {juryCase.appeal && (
        <blockquote className={`stack gap-1 quoted pre-line ${css.statement}`}>
          <strong className="block muted type-mark regular">{copy.appeal}</strong>
          {juryCase.appeal}
        </blockquote>
      )}
      <section className="stack gap-4">
        <h3>{copy.evidence}</h3>
        {juryCase.evidence.every((item) => item.text === "" && !item.hasPicture && !item.hasVoice) && (
          <p>{copy.noEvidence}</p>
        )}
        {juryCase.evidence.map((item) => (
          <Exhibit key={item.id} item={item} />
        ))}
        {juryCase.omitted > 0 && <p>{copy.omitted(juryCase.omitted)}</p>}
        <p className="muted">{copy.redacted}</p>
      </section>
      <Ballot juryCase={juryCase} />
    </article>
  );
}

function Exhibit({ item }: { item: RedactedEvidence }) {
  const copy = useArbitrationCopy();
  // Pictures stay hidden until the juror asks to see them.
  const [isShown, setShown] = useState(false);
  if (item.text === "" && !item.hasPicture && !item.hasVoice) return null;
  const author = item.author === "reported" ? copy.reported : copy.otherSide;
  return (
    <figure className={`stack gap-2 items-start raised radius-2 pre-line ${css.exhibit}`} data-author={item.author}>
      <figcaption className="muted type-mark">{item.kind === "message" ? author : copy[item.kind]}</figcaption>
      {item.text && <p>{item.text}</p>}
      {item.hasPicture && (
        <AgeNotice>
          {isShown && <img src={`/api/evidence/${item.id}`} alt={copy.picture} className={`radius-1 ${css.picture}`} />}
          <Button icon="eye" label={isShown ? copy.hidePicture : copy.showPicture} onClick={() => setShown(!isShown)} />
        </AgeNotice>
      )}
      {item.hasVoice && (
        <AgeNotice>
          {/* biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered */}
          <audio src={`/api/evidence/${item.id}`} controls preload="none" aria-label={copy.voice} />
        </AgeNotice>
      )}
    </figure>
  );
}

/** Voting or stepping back from the case. Both load the next case. */
function useJuryActions() {
  const copy = useArbitrationCopy();
  const toast = useToast();
  const utils = trpc.useUtils();
  // Also after a failure: a call without an answer may have been carried out.
  const onSettled = refreshAfter(() =>
    Promise.all([utils.arbitration.inbox.invalidate(), utils.games.credits.invalidate()]),
  );
  const vote = trpc.arbitration.vote.useMutation({
    onSuccess: ({ decided }) => toast({ text: decided ? copy.decided : copy.voteCast, tone: "success" }),
    onSettled,
  });
  const recuse = trpc.arbitration.recuse.useMutation({
    onSuccess: () => toast({ text: copy.recused }),
    onError: useFailureToast(),
    onSettled,
  });
  return { vote, recuse };
}

function Ballot({ juryCase }: { juryCase: JuryCase }) {
  const copy = useArbitrationCopy();
  const { vote, recuse } = useJuryActions();
  const [verdict, setVerdict] = useState<Verdict>();
  const [sanction, setSanction] = useState<JurySanction>();
  const [reason, setReason] = useState("");
  const isComplete =
    verdict !== undefined &&
    (verdict === "no_violation" || sanction !== undefined) &&
    reason.trim().length >= JURY_REASON_MIN_CHARS;
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        if (verdict) vote.mutate({ juryId: juryCase.juryId, verdict, reason, ...(sanction && { sanction }) });
      }}
    >
      <RadioGroup<Verdict>
        label={copy.verdict}
        value={verdict}
        onChange={setVerdict}
        options={[
          { value: "violation", label: copy.violation },
          { value: "no_violation", label: copy.no_violation },
        ]}
      />
      {verdict === "violation" && (
        <RadioGroup<JurySanction>
          label={copy.sanction}
          value={sanction}
          onChange={setSanction}
          options={juryCase.sanctions.map((value) => ({ value, label: copy.sanctions[value] }))}
        />
      )}
      <TextArea
        label={copy.reason}
        value={reason}
        max={TEXT_MAX_CHARS}
        error={vote.isError ? errorText(vote.error) : undefined}
        onValue={setReason}
      />
      <div className="wrap gap-3">
        <Button type="submit" variant="primary" busy={vote.isPending} disabled={!isComplete} label={copy.vote} />
        <Button
          variant="quiet"
          busy={recuse.isPending}
          label={copy.recuse}
          onClick={() => recuse.mutate({ juryId: juryCase.juryId })}
        />
      </div>
    </Form>
  );
}
