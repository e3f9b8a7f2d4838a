import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { QueryErrorState } from "../../components/QueryErrorState.tsx";
import { useCopy } from "../../format/i18n.ts";
import { ActionForm } from "./ActionForm.tsx";
import { ActionList } from "./ActionList.tsx";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { CaseHold } from "./holds/CaseHold.tsx";
import { useMutationFeedback } from "./use-mutation-feedback.ts";

type CaseFile = RouterOutputs["admin"]["case"];

/** A case as staff see it: everything but who reported it. */
export function CaseFileView({ id }: { id: number }) {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  const query = trpc.admin.case.useQuery({ id });
  if (query.isLoadingError) return <QueryErrorState title={copy.failed} query={query} />;
  const { data: file } = query;
  if (!file) return <Skeleton shape="rows" count={4} label={copy.loading} />;
  const picture = file.evidence.find((item) => item.kind === "picture");
  const staffAppeal = file.appeals.find((entry) => entry.forStaff);
  const forReporter = staffAppeal?.side === "reporter";
  return (
    <article className={css.file}>
      <h2>
        {copy.case} {file.caseRef.slice(0, 8)}: {rules[file.category]}
      </h2>
      <p className={css.muted}>
        {file.subjectName} (
        <Link href={`/dashboard?section=members&find=${file.subjectProfileId}`}>{file.subjectProfileId}</Link>) ·{" "}
        {file.brand} · <code>{file.caseRef}</code>
      </p>
      {file.staffReason && <p className={css.muted}>{copy.staffReason[file.staffReason]}</p>}
      <Complaints file={file} />
      <Evidence file={file} />
      <Juries file={file} />
      <Appeals file={file} />
      {staffAppeal && <AppealDecision id={id} canReverse={!forReporter} />}
      {forReporter && <p className={css.muted}>{copy.grantByAction}</p>}
      <CaseHold
        reportId={id}
        concernsMinor={file.category === "minor" || file.complaints.some(({ rule }) => rule === "minor")}
      />
      <ActionList actions={file.actions} />
      {file.recommended && <Banner>{copy.recommends(copy.sanctions[file.recommended])}</Banner>}
      <ActionForm
        subjectProfileId={file.subjectProfileId}
        rule={file.category}
        canSuspend
        {...((file.state !== "decided" || forReporter) && { reportId: id })}
        canDismiss={file.state !== "decided"}
        recommended={file.recommended}
        {...(picture && { pictureId: picture.sourceId })}
      />
    </article>
  );
}

function Complaints({ file }: { file: CaseFile }) {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  return (
    <>
      <h3>{copy.complaints}</h3>
      {file.complaints.map((complaint) => (
        <blockquote key={complaint.tsCreated + complaint.text} className={css.statement}>
          {complaint.text || "–"}
          <small>
            {rules[complaint.rule]} ·{" "}
            {complaint.by === "member"
              ? `${copy.credibility} ${Math.round(complaint.credibility * 100)} %`
              : copy.filedBy[complaint.by]}
          </small>
        </blockquote>
      ))}
    </>
  );
}

function Evidence({ file }: { file: CaseFile }) {
  const copy = useCopy(dashboardCopy);
  const [shownIds, setShownIds] = useState<readonly number[]>([]);
  return (
    <>
      <h3>{copy.evidence}</h3>
      {file.evidence.map((item) => (
        <div key={item.id} className={css.statement} data-other={!item.byReported || undefined}>
          {item.text}
          {item.hasPicture &&
            (shownIds.includes(item.id) ? (
              <img src={`/api/evidence/${item.id}`} alt="" className={css.picture} />
            ) : (
              <Button onClick={() => setShownIds([...shownIds, item.id])}>{copy.showPicture}</Button>
            ))}
          {item.hasVoice &&
            (shownIds.includes(item.id) ? (
              // biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered
              <audio
                src={`/api/evidence/${item.id}`}
                controls
                aria-label={item.kind === "voice" ? copy.introduction : undefined}
              />
            ) : (
              <Button onClick={() => setShownIds([...shownIds, item.id])}>
                {item.kind === "voice" ? copy.playIntroduction : copy.playVoice}
              </Button>
            ))}
          {item.kind === "voice" && file.state !== "decided" && <small>{copy.introductionGoes}</small>}
          <small>{item.byReported ? copy.reportedSaid : copy.otherSaid}</small>
        </div>
      ))}
    </>
  );
}

function Juries({ file }: { file: CaseFile }) {
  const copy = useCopy(dashboardCopy);
  return (
    <>
      {file.juries.length > 0 && <h3>{copy.juries}</h3>}
      {file.juries.map((jury) => (
        <div key={jury.round} className={css.statement}>
          {copy.round(jury.round)}: {jury.verdict ?? copy.noVerdict}{" "}
          {jury.sanction ? copy.sanctions[jury.sanction] : ""} ({jury.votes})
          {jury.reasons.map((reason) => (
            <small key={reason}>{reason}</small>
          ))}
        </div>
      ))}
    </>
  );
}

function Appeals({ file }: { file: CaseFile }) {
  const copy = useCopy(dashboardCopy);
  return (
    <>
      {file.appeals.length > 0 && <h3>{copy.appeals}</h3>}
      {file.appeals.map((entry) => (
        <div key={entry.side} className={css.statement}>
          {entry.text}
          <small>
            {copy.side[entry.side]} · {entry.result ?? copy.noVerdict}
          </small>
        </div>
      ))}
    </>
  );
}

/** Decides an appeal that goes to staff instead of a jury. */
function AppealDecision({ id, canReverse }: { id: number; canReverse: boolean }) {
  const copy = useCopy(dashboardCopy);
  const utils = trpc.useUtils();
  const { mutate: decide } = trpc.admin.decideAppeal.useMutation(useMutationFeedback(() => utils.admin.invalidate()));
  return (
    <div className={css.buttons}>
      <Button onClick={() => decide({ id, reversed: false })}>{copy.uphold}</Button>
      {canReverse && (
        <Button variant="danger" onClick={() => decide({ id, reversed: true })}>
          {copy.reverse}
        </Button>
      )}
    </div>
  );
}
