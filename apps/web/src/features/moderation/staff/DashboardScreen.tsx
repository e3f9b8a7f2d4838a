import { ruleCopy } from "@lambda/contract/rule-copy";
import { Badge } from "@lambda/ui/badge";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { Segmented } from "@lambda/ui/segmented";
import { Tabs } from "@lambda/ui/tabs";
import { useState } from "react";
import { useSearch } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { Pages } from "../../../components/Pages.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import { useDashboardCopy } from "./copy.ts";
import { useQueueKeys } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { GameReviews } from "./GameReviews.tsx";
import { useHealthCopy } from "./health/health-copy.ts";
import { SiteHealth } from "./health/SiteHealth.tsx";
import { useHoldsCopy } from "./holds/copy.ts";
import { HoldPanel } from "./holds/HoldPanel.tsx";
import { MemberLookup } from "./MemberLookup.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";
import { Overview } from "./Overview.tsx";
import { NoticeDesk, ReportQueue } from "./Queues.tsx";
import { ScrolledTable } from "./ScrolledTable.tsx";
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

function AuditLog() {
  const copy = useDashboardCopy();
  const log = trpc.admin.audit.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  return (
    <div className={css.section}>
      <Pages query={log} empty={null} more={{ label: copy.more }}>
        {(entries) => (
          <ScrolledTable
            label={copy.audit}
            columns={[
              { number: copy.entry },
              copy.time,
              copy.columns.brand,
              copy.action,
              copy.by,
              copy.columns.member,
              copy.details,
              copy.hash,
            ]}
          >
            {entries.map((entry) => (
              <tr key={entry.seq}>
                <td data-number>{entry.seq}</td>
                <td>{dateAndTime(entry.ts)}</td>
                <td>{entry.brand}</td>
                <td>{entry.action}</td>
                <td>{entry.actorName ?? entry.by}</td>
                <td>{entry.subjectProfileId ?? ""}</td>
                <td className={css.details}>{entry.details}</td>
                <td>
                  <code title={entry.hash}>{entry.hash.slice(0, 8)}</code>
                </td>
              </tr>
            ))}
          </ScrolledTable>
        )}
      </Pages>
    </div>
  );
}

function ContactMessages() {
  const copy = useDashboardCopy();
  const [view, setView] = useState<"open" | "closed">("open");
  const utils = trpc.useUtils();
  const query = trpc.admin.contact.useQuery({ done: view === "closed" });
  const close = trpc.admin.closeContact.useMutation({
    onSuccess: () => utils.admin.contact.invalidate(),
    onError: useFailureToast(),
  });
  return (
    <div className={css.section} ref={useQueueKeys()}>
      <Segmented
        label={copy.messages}
        value={view}
        onChange={setView}
        options={[
          { value: "open", label: copy.open },
          { value: "closed", label: copy.closed },
        ]}
      />
      {!query.data && <QueryState query={query} shape="rows" />}
      {query.data?.items.length === 0 && <p className="muted">{copy.empty}</p>}
      <ul className="stack plain-list">
        {query.data?.items.map((entry) => (
          <li className="wrap gap-3 between align-baseline py-2 ruled-below" key={entry.id} data-row>
            <span>
              <strong>{entry.name}</strong>{" "}
              <span className="muted">
                {copy.contactKind[entry.kind]} · {entry.brand} · {dateAndTime(entry.tsCreated)}
              </span>
              <span className="block measure pre-line">{entry.message}</span>
            </span>
            {!entry.tsDone && <Button label={copy.close} onClick={() => close.mutate({ id: entry.id })} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** All holds in the admin's scope, soonest to end first, including those of deleted cases and accounts. */
function Holds() {
  const copy = useHoldsCopy();
  const rules = useCopy(ruleCopy);
  const query = trpc.admin.holds.list.useQuery({});
  const { data } = query;
  if (!data) return <QueryState query={query} shape="rows" count={4} />;
  const waiting = data.items.filter(({ request }) => request?.mine === "no").length;
  return (
    <div className={css.section}>
      {waiting > 0 && <Banner tone="warn">{copy.waiting(waiting)}</Banner>}
      {data.items.length === 0 && <p className="muted">{copy.empty}</p>}
      {data.items.map((hold) => (
        <article key={hold.holdRef} className="stack gap-3">
          <h2>
            {copy.case(hold.reportId)}: {rules[hold.rule]}
          </h2>
          <p className="muted">
            {hold.brand} · <code>{hold.caseRef}</code>
          </p>
          <HoldPanel hold={hold} />
        </article>
      ))}
    </div>
  );
}
