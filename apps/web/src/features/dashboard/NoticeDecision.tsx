import { STAFF_REASON_MIN_CHARS } from "@lambda/contract/limits";
import { RULE_IDS, type Rule } from "@lambda/contract/moderation";
import type { DeskNoticeFile } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { digitsIn } from "@lambda/contract/typed";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import css from "./dashboard.module.css";
import { noticeDeskCopy } from "./notice-copy.ts";
import { useMutationFeedback } from "./use-mutation-feedback.ts";

const isTooShort = (reason: string) => reason.trim().length < STAFF_REASON_MIN_CHARS;

/** The actions that staff can take on a notice. Each needs a written reason. */
export function NoticeDecision({ file }: { file: DeskNoticeFile }) {
  const copy = useCopy(noticeDeskCopy);
  const actions = useNoticeActions();
  const [reason, setReason] = useState("");
  const [unfounded, setUnfounded] = useState(false);
  const [chosen, setChosen] = useState<readonly number[]>(() =>
    undecidedPictures(file).flatMap(({ pictureId, alike }) => (alike ? [] : [pictureId])),
  );
  const isOpen = file.state === "open" || file.state === "asked";
  const openObjections = file.state === "removed" ? file.counters.filter(({ result }) => result === null) : [];
  if (!isOpen && openObjections.length === 0) return null;
  const { id } = file;
  return (
    <section className={css.form} aria-label={copy.decision}>
      <h3>{copy.decision}</h3>
      {isOpen && <PictureChoice file={file} chosen={chosen} onChange={setChosen} />}
      <TextArea label={copy.reason} value={reason} minRows={2} onChange={(event) => setReason(event.target.value)} />
      <Checkbox label={copy.unfounded} checked={unfounded} onChange={(event) => setUnfounded(event.target.checked)} />
      {isOpen && (
        <DecisionButtons file={file} actions={actions} chosen={chosen} reason={reason} unfounded={unfounded} />
      )}
      {openObjections.map(({ profileId }) => (
        <div key={profileId} className={css.buttons}>
          {([true, false] as const).map((upheld) => (
            <Button
              key={String(upheld)}
              disabled={isTooShort(reason)}
              busy={actions.decideCounter.isPending}
              onClick={() =>
                actions.decideCounter.mutate({ id, subjectProfileId: profileId, upheld, reason, unfounded })
              }
            >
              {upheld ? copy.uphold : copy.refuse}
            </Button>
          ))}
        </div>
      ))}
      {isOpen && <MoreActions file={file} actions={actions} reason={reason} />}
    </section>
  );
}

const undecidedPictures = ({ pictureList }: DeskNoticeFile) =>
  pictureList.filter(({ state }) => state === "named" || state === "hidden");

interface PictureChoiceProps {
  file: DeskNoticeFile;
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}

/** Staff decide about each picture; those that only look like a named one are not chosen at first. */
function PictureChoice({ file, chosen, onChange }: PictureChoiceProps) {
  const copy = useCopy(noticeDeskCopy);
  const pictures = undecidedPictures(file);
  if (pictures.length < 2) return null;
  return (
    <fieldset className={css.fields}>
      <legend>{copy.which}</legend>
      {pictures.map(({ pictureId, profileId, profileName }) => (
        <Checkbox
          key={pictureId}
          label={copy.pictureLine(pictureId, profileName || String(profileId))}
          checked={chosen.includes(pictureId)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, pictureId] : chosen.filter((id) => id !== pictureId))
          }
        />
      ))}
      <p className={css.muted}>{copy.whichHint}</p>
    </fieldset>
  );
}

type NoticeActions = ReturnType<typeof useNoticeActions>;

interface DecisionButtonsProps {
  file: DeskNoticeFile;
  actions: NoticeActions;
  chosen: readonly number[];
  reason: string;
  unfounded: boolean;
}

function DecisionButtons({ file, actions, chosen, reason, unfounded }: DecisionButtonsProps) {
  const copy = useCopy(noticeDeskCopy);
  const { id } = file;
  const pictures = undecidedPictures(file);
  const pictureIds = pictures.map(({ pictureId }) => pictureId).filter((pictureId) => chosen.includes(pictureId));
  return (
    <div className={css.buttons}>
      <Button
        variant="danger"
        disabled={isTooShort(reason) || pictureIds.length === 0}
        busy={actions.remove.isPending}
        onClick={() => actions.remove.mutate({ id, reason, pictureIds })}
      >
        {copy.remove}
      </Button>
      <Button
        disabled={isTooShort(reason)}
        busy={actions.reject.isPending}
        onClick={() => actions.reject.mutate({ id, reason, unfounded })}
      >
        {copy.reject}
      </Button>
      {file.email !== "" && (
        <Button
          disabled={isTooShort(reason)}
          busy={actions.ask.isPending}
          onClick={() => actions.ask.mutate({ id, text: reason })}
        >
          {copy.ask}
        </Button>
      )}
    </div>
  );
}

/** Adds a picture by its id, or turns the notice into a case against a member. */
function MoreActions({ file, actions, reason }: { file: DeskNoticeFile; actions: NoticeActions; reason: string }) {
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
          onChange={(event) => setPicture(digitsIn(event.target.value))}
        />
        <Button
          disabled={!/^\d+$/.test(picture)}
          busy={actions.namePicture.isPending}
          onClick={() => actions.namePicture.mutate({ id, pictureId: Number(picture) })}
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
            onChange={(event) => setMember(digitsIn(event.target.value))}
          />
          <Select
            label={copy.rule}
            value={rule}
            onChange={(event) => setRule(event.target.value as Rule)}
            options={RULE_IDS.map((value) => ({ value, label: rules[value] }))}
          />
          <Button
            disabled={!/^\d+$/.test(member) || isTooShort(reason)}
            busy={actions.forward.isPending}
            onClick={() => actions.forward.mutate({ id, subjectProfileId: Number(member), rule, text: reason })}
          >
            {copy.forward}
          </Button>
        </div>
      )}
    </>
  );
}

function useNoticeActions() {
  const utils = trpc.useUtils();
  const feedback = useMutationFeedback(() => utils.noticeDesk.invalidate());
  return {
    remove: trpc.noticeDesk.remove.useMutation(feedback),
    reject: trpc.noticeDesk.reject.useMutation(feedback),
    ask: trpc.noticeDesk.ask.useMutation(feedback),
    namePicture: trpc.noticeDesk.namePicture.useMutation(feedback),
    forward: trpc.noticeDesk.forward.useMutation(feedback),
    decideCounter: trpc.noticeDesk.decideCounter.useMutation(feedback),
  };
}
