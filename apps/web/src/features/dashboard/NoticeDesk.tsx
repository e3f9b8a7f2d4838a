import type { DeskNotice } from "@lambda/contract/notices";
import { Segmented } from "@lambda/ui/segmented";
import { Skeleton } from "@lambda/ui/skeleton";
import { useRef, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { ruleCopy } from "../../components/ReportDialog/rule-copy.ts";
import { useKeys } from "../../components/use-keys.ts";
import { useCopy } from "../../format/i18n.ts";
import css from "./dashboard.module.css";
import { NoticeFileView } from "./NoticeFileView.tsx";
import { noticeDeskCopy } from "./notice-copy.ts";

const VIEWS = ["open", "counters", "decided"] as const;
type View = (typeof VIEWS)[number];
const HOUR_MS = 3_600_000;

/** Notices from anybody, the one that is due first leading, with the chosen one beside them. */
export function NoticeDesk() {
  const copy = useCopy(noticeDeskCopy);
  const [view, setView] = useState<View>("open");
  const [chosen, setChosen] = useState<number>();
  const pane = useRef<HTMLDivElement>(null);
  const { data } = trpc.noticeDesk.list.useQuery({ view }, { staleTime: 0, refetchInterval: 60_000 });
  const items = data?.items ?? [];
  const step = (by: 1 | -1) => {
    const at = items.findIndex(({ id }) => id === chosen);
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))];
    if (next) setChosen(next.id);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    r: () => pane.current?.querySelector("textarea")?.focus(),
  });
  return (
    <div className={css.section}>
      <Segmented<View>
        label={copy.viewLabel}
        value={view}
        onChange={(next) => {
          setView(next);
          setChosen(undefined);
        }}
        options={VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      />
      <p className={css.muted}>{copy.keys}</p>
      <div className={css.panes}>
        <div className={css.scroll}>
          {!data && <Skeleton shape="rows" label={copy.loading} />}
          {data && items.length === 0 && <p className={css.muted}>{copy.empty}</p>}
          {items.length > 0 && <NoticeTable notices={items} chosen={chosen} onChoose={setChosen} />}
        </div>
        <div className={css.pane} ref={pane}>
          {chosen === undefined ? (
            <p className={css.muted}>{copy.pick}</p>
          ) : (
            <NoticeFileView key={chosen} id={chosen} />
          )}
        </div>
      </div>
    </div>
  );
}

interface NoticeTableProps {
  notices: readonly DeskNotice[];
  chosen: number | undefined;
  onChoose: (id: number) => void;
}

function NoticeTable({ notices, chosen, onChoose }: NoticeTableProps) {
  const copy = useCopy(noticeDeskCopy);
  const rules = useCopy(ruleCopy);
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{copy.columns.number}</th>
          <th scope="col">{copy.columns.about}</th>
          <th scope="col">{copy.columns.left}</th>
          <th scope="col">{copy.columns.state}</th>
          <th scope="col" data-number>
            {copy.columns.pictures}
          </th>
          <th scope="col">{copy.columns.brand}</th>
        </tr>
      </thead>
      <tbody>
        {notices.map((notice) => (
          <tr key={notice.id} aria-current={notice.id === chosen || undefined}>
            <th scope="row">
              <button type="button" className={css.link} onClick={() => onChoose(notice.id)}>
                {notice.ref}
              </button>
            </th>
            <td>
              {copy.kind[notice.kind]}
              {notice.kind === "illegal" && <small>{rules[notice.category]}</small>}
            </td>
            <td>
              <TimeLeft notice={notice} />
            </td>
            <td>
              {copy.state[notice.state]}
              {!notice.confirmed && <small>{copy.unconfirmed}</small>}
              {notice.countered && <small>{copy.objection}</small>}
            </td>
            <td data-number>{notice.pictures}</td>
            <td>{notice.brand}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The clock of the law; red when less than half of it is left. */
function TimeLeft({ notice: { tsDue, tsDecided } }: { notice: DeskNotice }) {
  const copy = useCopy(noticeDeskCopy);
  if (tsDue === null || tsDecided !== null) return copy.noHour;
  const left = Date.parse(tsDue) - Date.now();
  const hours = Math.floor(Math.abs(left) / HOUR_MS);
  return (
    <span className={css.severity} data-severity={left < 24 * HOUR_MS ? "5" : undefined}>
      {left < 0 ? copy.over(hours) : copy.left(hours)}
    </span>
  );
}
