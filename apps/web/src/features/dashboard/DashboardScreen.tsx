import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { useCopy } from "../../lib/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import { AuditLog } from "./parts/AuditLog.tsx";
import { ContactMessages } from "./parts/ContactMessages.tsx";
import { MemberLookup } from "./parts/MemberLookup.tsx";
import { Overview } from "./parts/Overview.tsx";
import { ReportQueue } from "./parts/ReportQueue.tsx";

const SECTIONS = ["overview", "queue", "members", "messages", "audit"] as const;
type Section = (typeof SECTIONS)[number];
const hrefOf = (section: Section) => (section === "overview" ? "/dashboard" : `/dashboard?section=${section}`);

/** The admin's desk: counts, reports, members, messages, and what everybody did. */
export default function DashboardScreen() {
  const copy = useCopy(dashboardCopy);
  const wanted = new URLSearchParams(useSearch()).get("section");
  const section = SECTIONS.find((candidate) => candidate === wanted) ?? "overview";
  return (
    <>
      <Tabs
        label={copy.sections}
        current={hrefOf(section)}
        tabs={SECTIONS.map((other) => ({ href: hrefOf(other), label: copy[other] }))}
      />
      {section === "overview" && <Overview />}
      {section === "queue" && <ReportQueue />}
      {section === "members" && <MemberLookup />}
      {section === "messages" && <ContactMessages />}
      {section === "audit" && <AuditLog />}
    </>
  );
}
