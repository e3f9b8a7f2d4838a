import { Badge } from "@lambda/ui/badge";
import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { AuditLog } from "./AuditLog.tsx";
import { ContactMessages } from "./ContactMessages.tsx";
import { useDashboardCopy } from "./copy.ts";
import { GameReviews } from "./GameReviews.tsx";
import { useHealthCopy } from "./health/health-copy.ts";
import { SiteHealth } from "./health/SiteHealth.tsx";
import { Holds } from "./holds/Holds.tsx";
import { MemberLookup } from "./MemberLookup.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";
import { Overview } from "./Overview.tsx";
import { NoticeDesk, ReportQueue } from "./Queues.tsx";
import { useDue } from "./use-due.ts";

const REFETCH_MS = 60_000;

/** Shown on every tab while a notice about an intimate picture has waited for more than a day. */
function OverdueNoticesBanner() {
  const copy = useNoticeDeskCopy();
  const query = trpc.noticeDesk.counts.useQuery(undefined, { refetchInterval: REFETCH_MS });
  const { data } = query;
  if (query.isLoadingError)
    return (
      <div className="mt-4">
        <QueryState compact query={query} />
      </div>
    );
  if (!data || data.late === 0) return null;
  return (
    <Banner tone="danger" role="alert" action={<Link href="/dashboard?section=notices">{copy.openDesk}</Link>}>
      {data.overdue > 0
        ? copy.overdue(data.overdue)
        : copy.alarm(data.late, data.tsNextDue ? dateAndTime(data.tsNextDue) : "")}
    </Banner>
  );
}

const SECTIONS = [
  "overview",
  "health",
  "queue",
  "notices",
  "holds",
  "reviews",
  "members",
  "messages",
  "audit",
] as const;
type Section = (typeof SECTIONS)[number];
const hrefOf = (section: Section) => (section === "overview" ? "/dashboard" : `/dashboard?section=${section}`);

/** The staff dashboard. `?section=` selects the tab. */
export default function DashboardScreen() {
  const copy = useDashboardCopy();
  const { notices } = useNoticeDeskCopy();
  const { health } = useHealthCopy();
  const labels = { ...copy, notices, health };
  const { counts } = useDue();
  const labelOf = (name: Section) => {
    const count = counts[name];
    return count ? (
      <span className="inline-row gap-1">
        {labels[name]} <Badge count={count} label={copy.waiting(count)} />
      </span>
    ) : (
      labels[name]
    );
  };
  const requested = new URLSearchParams(useSearch()).get("section");
  const section = SECTIONS.find((candidate) => candidate === requested) ?? "overview";
  return (
    <>
      <Tabs
        label={copy.sections}
        current={hrefOf(section)}
        tabs={SECTIONS.map((name) => ({ href: hrefOf(name), label: labelOf(name) }))}
      />
      <OverdueNoticesBanner />
      {section === "overview" && <Overview />}
      {section === "health" && <SiteHealth />}
      {section === "queue" && <ReportQueue />}
      {section === "notices" && <NoticeDesk />}
      {section === "holds" && <Holds />}
      {section === "reviews" && <GameReviews />}
      {section === "members" && <MemberLookup />}
      {section === "messages" && <ContactMessages />}
      {section === "audit" && <AuditLog />}
    </>
  );
}
