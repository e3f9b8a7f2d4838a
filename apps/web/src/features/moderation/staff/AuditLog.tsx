import { trpc } from "../../../api/trpc.ts";
import { LoadMore } from "../../../components/LoadMore.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { ScrolledTable } from "./ScrolledTable.tsx";

export function AuditLog() {
  const copy = useDashboardCopy();
  const log = trpc.admin.audit.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  if (!log.data) return <QueryState query={log} shape="rows" />;
  const entries = log.data.pages.flatMap((page) => page.items);
  return (
    <div className={css.section}>
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
      <LoadMore query={log} label={copy.more} />
    </div>
  );
}
