import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { currentLocale, useCopy } from "../../../format/i18n.ts";
import { ActionForm, ActionList } from "./ActionForm.tsx";
import { useDashboardCopy } from "./copy.ts";
import { Desk, useDeskView } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { Decide, MemberLink, OnDemand, Part, Statement } from "./file-parts.tsx";
import { useHoldsCopy } from "./holds/copy.ts";
import { HoldPanel, ReasonForm } from "./holds/HoldPanel.tsx";
import { TipForm } from "./holds/TipForm.tsx";
import { NoticeFileView } from "./NoticeFileView.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";
import { isUrgent, subjectOf, useAge, useNoticeText, useTimeLeft } from "./use-due.ts";

const CASE_VIEWS = ["staff", "jury", "appeals", "decided"] as const;
const NOTICE_VIEWS = ["open", "counters", "decided"] as const;

export function ReportQueue() {
  const copy = useDashboardCopy();
  const rules = useCopy(ruleCopy);
  const age = useAge();
  const query = trpc.admin.queue.useQuery({ view: useDeskView(CASE_VIEWS) });
  return (
    <Desk
      section="queue"
      views={CASE_VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      viewLabel={copy.viewLabel}
      pick={copy.pick}
      query={query}
      entries={query.data?.items.map((entry) => ({
        id: entry.id,
        title: `${rules[entry.category]} · ${subjectOf(entry)}`,
        text: [
          copy.source[entry.source],
          copy.filings(entry.filings, Math.round(entry.credibility * 100)),
          entry.staffReason && copy.staffReason[entry.staffReason],
        ]
          .filter(Boolean)
          .join(" · "),
        clock: age(entry.tsCreated),
        mark: <Severity level={entry.severity} />,
      }))}
      file={(id) => <CaseFileView key={id} id={id} />}
    />
  );
}

export function NoticeDesk() {
  const copy = useNoticeDeskCopy();
  const describe = useNoticeText();
  const age = useAge();
  const timeLeft = useTimeLeft();
  const view = useDeskView(NOTICE_VIEWS);
  const query = trpc.noticeDesk.list.useQuery({ view }, { staleTime: 0, refetchInterval: 60_000 });
  return (
    <Desk
      section="notices"
      views={NOTICE_VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      viewLabel={copy.viewLabel}
      pick={copy.pick}
      query={query}
      entries={query.data?.items.map((notice) => ({
        id: notice.id,
        ...describe(notice),
        clock: notice.tsDue && !notice.tsDecided ? timeLeft(notice.tsDue) : age(notice.tsCreated),
        mark: isUrgent(notice) && <Severity level={5} />,
      }))}
      file={(id) => <NoticeFileView key={id} id={id} />}
    />
  );
}

function Severity({ level }: { level: number }) {
  const { severity } = useDashboardCopy();
  const tone = level === 5 ? "danger" : level === 3 ? "warn" : "";
  return <span className={`bold ${tone}`}>{severity(level)}</span>;
}

type CaseFile = RouterOutputs["admin"]["case"];

/** A case as staff see it: everything but who reported it. */
function CaseFileView({ id }: { id: number }) {
  const copy = useDashboardCopy();
  const rules = useCopy(ruleCopy);
  const query = trpc.admin.case.useQuery({ id });
  const { data: file } = query;
  if (!file) return <QueryState query={query} shape="rows" count={4} />;
  const picture = file.evidence.find((item) => item.kind === "picture");
  const staffAppeal = file.appeals.find((entry) => entry.forStaff);
  const forReporter = staffAppeal?.side === "reporter";
  return (
    <article className="stack gap-3">
      <h2>
        {copy.case} {file.caseRef.slice(0, 8)}: {rules[file.category]}
      </h2>
      <p className="muted">
        {file.subjectName} (<MemberLink id={file.subjectProfileId} />) · {file.brand} · <code>{file.caseRef}</code>
      </p>
      {file.staffReason && <p className="muted">{copy.staffReason[file.staffReason]}</p>}
      <Part title={copy.queue} items={file.complaints}>
        {({ rule, text, by, credibility, tsCreated }) => (
          <Statement
            key={tsCreated + text}
            text={text || "–"}
            note={`${rules[rule]} · ${
              by === "member"
                ? `${copy.credibility} ${credibility.toLocaleString(currentLocale(), { style: "percent" })}`
                : copy.filedBy[by]
            }`}
          />
        )}
      </Part>
      <Part title={copy.evidence} items={file.evidence}>
        {(item) => <Evidence key={item.id} item={item} isOpen={file.state !== "decided"} />}
      </Part>
      {file.omitted > 0 && <p className="muted">{copy.omitted(file.omitted)}</p>}
      <Part title={copy.juries} items={file.juries}>
        {(jury) => (
          <div key={jury.round} className={`stack gap-1 items-start quoted pre-line ${css.statement}`}>
            {copy.round(jury.round)}: {jury.verdict ?? copy.noVerdict}{" "}
            {jury.sanction ? copy.sanctions[jury.sanction] : ""} ({jury.votes})
            {jury.reasons.map((reason) => (
              <small key={reason} className="block">
                {reason}
              </small>
            ))}
          </div>
        )}
      </Part>
      <Part title={copy.appeals} items={file.appeals}>
        {({ side, text, result }) => (
          <Statement key={side} text={text} note={`${copy.side[side]} · ${result ?? copy.noVerdict}`} />
        )}
      </Part>
      {staffAppeal && <AppealDecision id={id} canReverse={!forReporter} />}
      {forReporter && <p className="muted">{copy.grantByAction}</p>}
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
      <CaseHold
        reportId={id}
        concernsMinor={file.category === "minor" || file.complaints.some(({ rule }) => rule === "minor")}
      />
    </article>
  );
}

function Evidence({ item, isOpen }: { item: CaseFile["evidence"][number]; isOpen: boolean }) {
  const copy = useDashboardCopy();
  const isIntroduction = item.kind === "voice";
  const src = `/api/evidence/${item.id}`;
  return (
    <div
      className={`stack gap-1 items-start quoted pre-line ${css.statement}`}
      data-other={!item.byReported || undefined}
    >
      {item.text}
      {item.hasPicture && (
        <OnDemand label={copy.showPicture}>
          <img src={src} alt="" className={css.picture} />
        </OnDemand>
      )}
      {item.hasVoice && (
        <OnDemand label={isIntroduction ? copy.playIntroduction : copy.playVoice}>
          {/* biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered */}
          <audio src={src} controls aria-label={isIntroduction ? copy.introduction : undefined} />
        </OnDemand>
      )}
      {isIntroduction && isOpen && <small className="block">{copy.introductionGoes}</small>}
      <small className="block">{item.byReported ? copy.reportedSaid : copy.otherSaid}</small>
    </div>
  );
}

/** Decides an appeal that goes to staff instead of a jury. */
function AppealDecision({ id, canReverse }: { id: number; canReverse: boolean }) {
  const copy = useDashboardCopy();
  const decide = trpc.admin.decideAppeal.useMutation(useAction({ done: copy.done, refresh: [trpc.admin] }));
  return (
    <div className="wrap gap-3 align-end">
      <Decide mutation={decide} input={{ id, reversed: false }} label={copy.uphold} />
      {canReverse && <Decide variant="danger" mutation={decide} input={{ id, reversed: true }} label={copy.reverse} />}
    </div>
  );
}

/** The legal hold of a case, and the CyberTipline report if it concerns a minor. */
function CaseHold({ reportId, concernsMinor }: { reportId: number; concernsMinor: boolean }) {
  const copy = useHoldsCopy();
  const query = trpc.admin.holds.list.useQuery({ reportId });
  const { done } = useDashboardCopy();
  const start = trpc.admin.holds.start.useMutation(useAction({ done, refresh: [trpc.admin.holds] }));
  const hold = query.data?.items[0];
  return (
    <section className="stack gap-3">
      <h3>{copy.title}</h3>
      <p className="muted">{copy.explain}</p>
      {!query.data && <QueryState query={query} />}
      {hold && <HoldPanel hold={hold} />}
      {query.data && !hold && (
        <ReasonForm label={copy.reason} submitLabel={copy.start} mutation={start} input={{ id: reportId }} />
      )}
      {concernsMinor && <TipForm reportId={reportId} />}
    </section>
  );
}
