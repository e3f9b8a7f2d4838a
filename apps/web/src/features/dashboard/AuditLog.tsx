import { Button } from "@lambda/ui/button";
import { trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dateAndTime } from "../../format/time.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** Who did what to whom, newest first. */
export function AuditLog() {
  const copy = useCopy(dashboardCopy);
  const [locale] = useLocale();
  const log = trpc.admin.audit.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  const lines = log.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={css.section}>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col" data-number>
                {copy.entry}
              </th>
              <th scope="col">{copy.time}</th>
              <th scope="col">{copy.columns.brand}</th>
              <th scope="col">{copy.action}</th>
              <th scope="col">{copy.by}</th>
              <th scope="col">{copy.columns.member}</th>
              <th scope="col">{copy.details}</th>
              <th scope="col">{copy.hash}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.seq}>
                <td data-number>{line.seq}</td>
                <td>{dateAndTime(line.ts, locale)}</td>
                <td>{line.brand}</td>
                <td>{line.action}</td>
                <td>{line.actorName ?? line.by}</td>
                <td>{line.subjectProfileId ?? ""}</td>
                <td>{line.details}</td>
                <td>
                  <code title={line.hash}>{line.hash.slice(0, 8)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {copy.more}
          </Button>
        </div>
      )}
    </div>
  );
}
