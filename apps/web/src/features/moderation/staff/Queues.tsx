import { ruleCopy } from "@lambda/contract/rule-copy";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { CaseFileView } from "./CaseFileView.tsx";
import { useDashboardCopy } from "./copy.ts";
import { Desk, useDeskView } from "./Desk.tsx";
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
