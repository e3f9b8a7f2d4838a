import { RULE_IDS, type Rule } from "@lambda/contract/moderation";
import type { DeskNoticeFile } from "@lambda/contract/notices";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { ruleCopy } from "../../components/ReportDialog/rule-copy.ts";
import { useCopy } from "../../format/i18n.ts";
import css from "./dashboard.module.css";
import { noticeDeskCopy } from "./notice-copy.ts";

const REASON_MIN_CHARS = 3;

/** What staff can do with a notice; every step needs its words. */
export function NoticeDecision({ file }: { file: DeskNoticeFile }) {
  const copy = useCopy(noticeDeskCopy);
  const steps = useSteps();
  const [reason, setReason] = useState("");
  const [unfounded, setUnfounded] = useState(false);
  const isOpen = file.state === "open" || file.state === "asked";
  const waiting = file.state === "removed" ? file.counters.filter(({ result }) => result === null) : [];
  if (!isOpen && waiting.length === 0) return null;
  const { id } = file;
  const tooShort = reason.trim().length < REASON_MIN_CHARS;
  const present = file.pictureList.some(({ state }) => state === "named" || state === "hidden");
  return (
    <section className={css.form} aria-label={copy.decision}>
      <h3>{copy.decision}</h3>
      <TextArea label={copy.reason} value={reason} minRows={2} onChange={(event) => setReason(event.target.value)} />
      <Checkbox label={copy.unfounded} checked={unfounded} onChange={(event) => setUnfounded(event.target.checked)} />
      {isOpen && (
        <div className={css.acts}>
          <Button
            variant="danger"
            disabled={tooShort || !present}
            busy={steps.remove.isPending}
            onClick={() => steps.remove.mutate({ id, reason })}
          >
            {copy.remove}
          </Button>
          <Button
            disabled={tooShort}
            busy={steps.reject.isPending}
            onClick={() => steps.reject.mutate({ id, reason, unfounded })}
          >
            {copy.reject}
          </Button>
          {file.email !== "" && (
            <Button
              disabled={tooShort}
              busy={steps.ask.isPending}
              onClick={() => steps.ask.mutate({ id, text: reason })}
            >
              {copy.ask}
            </Button>
          )}
        </div>
      )}
      {waiting.map(({ profileId }) => (
        <div key={profileId} className={css.acts}>
          {([true, false] as const).map((upheld) => (
            <Button
              key={String(upheld)}
              disabled={tooShort}
              busy={steps.decideCounter.isPending}
              onClick={() => steps.decideCounter.mutate({ id, subjectProfileId: profileId, upheld, reason, unfounded })}
            >
              {upheld ? copy.uphold : copy.refuse}
            </Button>
          ))}
        </div>
      ))}
      {isOpen && <MoreSteps file={file} steps={steps} reason={reason} />}
    </section>
  );
}

type Steps = ReturnType<typeof useSteps>;

/** Finding the picture by hand, and passing the notice on as a case against a member. */
function MoreSteps({ file, steps, reason }: { file: DeskNoticeFile; steps: Steps; reason: string }) {
  const copy = useCopy(noticeDeskCopy);
  const rules = useCopy(ruleCopy);
  const [picture, setPicture] = useState("");
  const [member, setMember] = useState(String(file.pictureList[0]?.profileId ?? file.profileIds[0] ?? ""));
  const [rule, setRule] = useState<Rule>(file.category);
  const { id } = file;
  return (
    <>
      <div className={css.searchLine}>
        <TextField
          label={copy.pictureId}
          inputMode="numeric"
          value={picture}
          onChange={(event) => setPicture(event.target.value)}
        />
        <Button
          disabled={!/^\d+$/.test(picture)}
          busy={steps.namePicture.isPending}
          onClick={() => steps.namePicture.mutate({ id, pictureId: Number(picture) })}
        >
          {copy.name}
        </Button>
      </div>
      {file.reportId === null && (
        <div className={css.fields}>
          <TextField
            label={copy.member}
            inputMode="numeric"
            value={member}
            onChange={(event) => setMember(event.target.value)}
          />
          <Select
            label={copy.rule}
            value={rule}
            onChange={(event) => setRule(event.target.value as Rule)}
            options={RULE_IDS.map((value) => ({ value, label: rules[value] }))}
          />
          <Button
            disabled={!/^\d+$/.test(member) || reason.trim().length < REASON_MIN_CHARS}
            busy={steps.forward.isPending}
            onClick={() => steps.forward.mutate({ id, subjectProfileId: Number(member), rule, text: reason })}
          >
            {copy.forward}
          </Button>
        </div>
      )}
    </>
  );
}

function useSteps() {
  const copy = useCopy(noticeDeskCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const answers = {
    onSuccess: () => {
      toast({ text: copy.done, tone: "success" as const });
      void utils.noticeDesk.invalidate();
    },
    onError: (error: unknown) => toast({ text: errorText(error), tone: "danger" as const }),
  };
  return {
    remove: trpc.noticeDesk.remove.useMutation(answers),
    reject: trpc.noticeDesk.reject.useMutation(answers),
    ask: trpc.noticeDesk.ask.useMutation(answers),
    namePicture: trpc.noticeDesk.namePicture.useMutation(answers),
    forward: trpc.noticeDesk.forward.useMutation(answers),
    decideCounter: trpc.noticeDesk.decideCounter.useMutation(answers),
  };
}
