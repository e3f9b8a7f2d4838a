import { Badge } from "@lambda/ui/badge";
import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { useCopy } from "../../format/i18n.ts";
import { AuditLog } from "./AuditLog.tsx";
import { ContactMessages } from "./ContactMessages.tsx";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { GameReviews } from "./GameReviews.tsx";
import { healthCopy } from "./health/health-copy.ts";
import { SiteHealth } from "./health/SiteHealth.tsx";
import { Holds } from "./holds/Holds.tsx";
import { MemberLookup } from "./MemberLookup.tsx";
import { noticeDeskCopy } from "./notice-copy.ts";
import { OverdueNoticesBanner } from "./OverdueNoticesBanner.tsx";
import { Overview } from "./Overview.tsx";
import { NoticeDesk, ReportQueue } from "./Queues.tsx";
import { useDue } from "./use-due.ts";

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
  const copy = useCopy(dashboardCopy);
  const { notices } = useCopy(noticeDeskCopy);
  const { health } = useCopy(healthCopy);
  const labels = { ...copy, notices, health };
  const { counts } = useDue();
  const labelOf = (name: Section) => {
    const count = counts[name];
    return count ? (
      <span className={css.tab}>
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
