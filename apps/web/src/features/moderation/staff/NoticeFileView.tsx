import type { Rule } from "@lambda/contract/moderation";
import type { DeskNoticeFile } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Checkbox } from "@lambda/ui/checkbox";
import { Fragment, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import {
  Decide,
  isReason,
  MemberLink,
  NumberField,
  OnDemand,
  Part,
  ReasonField,
  RuleSelect,
  Statement,
} from "./file-parts.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";

export function NoticeFileView({ id }: { id: number }) {
  const copy = useNoticeDeskCopy();
  const rules = useCopy(ruleCopy);
  const query = trpc.noticeDesk.get.useQuery({ id }, { staleTime: 0 });
  const { data: file } = query;
  if (!file) return <QueryState query={query} shape="rows" count={4} />;
  const written = (title: string, text: string) => (
    <Part title={title} items={text === "" ? [] : [text]}>
      {(item) => <Statement key={item} text={item} />}
    </Part>
  );
  return (
    <article className="stack gap-3">
      <h2>
        {file.ref}: {file.kind === "intimate" ? copy.kind.intimate : rules[file.category]}
      </h2>
      <p className="muted">
        {file.name === "" ? copy.anonymous : file.name}
        {file.role && ` (${copy.roles[file.role]})`} · {dateAndTime(file.tsCreated)}
        {file.email !== "" && ` · ${copy.reach} ${file.email} ${file.contact}`}
      </p>
      {file.disowned && <Banner tone="warn">{copy.disowned}</Banner>}
      {written(copy.where, file.location)}
      {written(copy.said, file.explanation)}
      {file.hasUpload && <p className="muted">{copy.uploaded}</p>}
      {file.profileIds.length > 0 && (
        <p>
          {copy.profiles}:{" "}
          {file.profileIds.map((profileId) => (
            <Fragment key={profileId}>
              <MemberLink id={profileId} />{" "}
            </Fragment>
          ))}
        </p>
      )}
      <Pictures file={file} />
      <Part title={copy.questions} items={file.messages}>
        {({ by, text, tsCreated }) => (
          <Statement key={tsCreated + by} text={text} note={copy[by]} other={by === "staff"} />
        )}
      </Part>
      <Part title={copy.objections} items={file.counters}>
        {({ profileId, text, result }) => (
          <Statement key={profileId} text={text} note={result && copy.results[result]} />
        )}
      </Part>
      {file.reportId !== null && <p className="muted">{copy.caseLine(file.reportId)}</p>}
      {written(copy.decided, file.reason)}
      <NoticeDecision file={file} />
    </article>
  );
}

function Pictures({ file }: { file: DeskNoticeFile }) {
  const copy = useNoticeDeskCopy();
  const { showPicture } = useDashboardCopy();
  return (
    <>
      <h3>{copy.pictures}</h3>
      {file.pictureList.length === 0 && <p className="muted">{copy.noPicture}</p>}
      {file.pictureList.map(({ pictureId, profileId, profileName, state, atOnce, wasPublic, alike }) => (
        <div key={pictureId} className={`stack gap-1 items-start quoted pre-line ${css.statement}`}>
          <span>
            {copy.pictureLine(pictureId, profileName || String(profileId))} (<MemberLink id={profileId} />)
          </span>
          <small>
            {copy.pictureState[state]}
            {atOnce && `, ${copy.atOnce}`}
            {!wasPublic && `, ${copy.notPublic}`}
            {alike && `, ${copy.alike}`}
          </small>
          {state !== "deleted" && (
            <OnDemand label={showPicture}>
              <img src={`/api/notice-picture/${file.id}/${pictureId}`} alt="" className={css.picture} />
            </OnDemand>
          )}
        </div>
      ))}
    </>
  );
}

function NoticeDecision({ file }: { file: DeskNoticeFile }) {
  const copy = useNoticeDeskCopy();
  const action = useAction({ done: useDashboardCopy().done, refresh: [trpc.noticeDesk] });
  const remove = trpc.noticeDesk.remove.useMutation(action);
  const reject = trpc.noticeDesk.reject.useMutation(action);
  const ask = trpc.noticeDesk.ask.useMutation(action);
  const decideCounter = trpc.noticeDesk.decideCounter.useMutation(action);
  const pictures = file.pictureList.filter(({ state }) => state === "named" || state === "hidden");
  const [reason, setReason] = useState("");
  const [unfounded, setUnfounded] = useState(false);
  // Pictures may be named while the file is open. Of several, those that only look like a named one are not chosen at first.
  const [pressed, setPressed] = useState<Readonly<Record<number, boolean>>>({});
  const isChosen = ({ pictureId, alike }: DeskNoticeFile["pictureList"][number]) =>
    pressed[pictureId] ?? (!alike || pictures.length === 1);
  const isOpen = file.state === "open" || file.state === "asked";
  const openObjections = file.state === "removed" ? file.counters.filter(({ result }) => result === null) : [];
  if (!isOpen && openObjections.length === 0) return null;
  const { id } = file;
  const disabled = !isReason(reason);
  const pictureIds = pictures.filter(isChosen).map(({ pictureId }) => pictureId);
  return (
    <section className="stack gap-3" aria-label={copy.decision}>
      <h3>{copy.decision}</h3>
      {isOpen && pictures.length > 1 && (
        <fieldset className={css.fields}>
          <legend>{copy.which}</legend>
          {pictures.map((picture) => (
            <Checkbox
              key={picture.pictureId}
              label={copy.pictureLine(picture.pictureId, picture.profileName || String(picture.profileId))}
              checked={isChosen(picture)}
              onValue={(isChecked) => setPressed({ ...pressed, [picture.pictureId]: isChecked })}
            />
          ))}
          <p className="muted">{copy.whichHint}</p>
        </fieldset>
      )}
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
      <Checkbox label={copy.unfounded} checked={unfounded} onValue={setUnfounded} />
      {isOpen && (
        <div className="wrap gap-3 align-end">
          <Decide
            variant="danger"
            mutation={remove}
            input={{ id, reason, pictureIds }}
            disabled={disabled || pictureIds.length === 0}
            label={copy.remove}
          />
          <Decide mutation={reject} input={{ id, reason, unfounded }} disabled={disabled} label={copy.reject} />
          {file.email !== "" && (
            <Decide mutation={ask} input={{ id, text: reason }} disabled={disabled} label={copy.ask} />
          )}
        </div>
      )}
      {openObjections.map(({ profileId: subjectProfileId }) => (
        <div key={subjectProfileId} className="wrap gap-3 align-end">
          {([true, false] as const).map((upheld) => (
            <Decide
              key={String(upheld)}
              mutation={decideCounter}
              input={{ id, subjectProfileId, upheld, reason, unfounded }}
              disabled={disabled}
              label={upheld ? copy.uphold : copy.refuse}
            />
          ))}
        </div>
      ))}
      {isOpen && <MoreDecisions file={file} reason={reason} action={action} />}
    </section>
  );
}

interface MoreDecisionsProps {
  file: DeskNoticeFile;
  reason: string;
  action: ReturnType<typeof useAction>;
}

function MoreDecisions({ file, reason, action }: MoreDecisionsProps) {
  const copy = useNoticeDeskCopy();
  const { pictureId } = useDashboardCopy();
  const namePicture = trpc.noticeDesk.namePicture.useMutation(action);
  const forward = trpc.noticeDesk.forward.useMutation(action);
  const [picture, setPicture] = useState("");
  const [member, setMember] = useState(String(file.pictureList[0]?.profileId ?? file.profileIds[0] ?? ""));
  const [rule, setRule] = useState<Rule>(file.category);
  const { id } = file;
  return (
    <>
      <div className={`wrap gap-3 align-end ${css.searchLine}`}>
        <NumberField label={pictureId} value={picture} onChange={setPicture} />
        <Decide
          mutation={namePicture}
          input={{ id, pictureId: Number(picture) }}
          disabled={picture === ""}
          label={copy.name}
        />
      </div>
      {file.reportId === null && (
        <div className={css.fields}>
          <NumberField label={copy.member} value={member} onChange={setMember} />
          <RuleSelect value={rule} onChange={setRule} />
          <Decide
            mutation={forward}
            input={{ id, subjectProfileId: Number(member), rule, text: reason }}
            disabled={member === "" || !isReason(reason)}
            label={copy.forward}
          />
        </div>
      )}
    </>
  );
}
