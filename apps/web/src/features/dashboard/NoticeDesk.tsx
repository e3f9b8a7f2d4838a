import { HOUR_MS } from "@lambda/contract/limits";
import type { DeskNotice } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Segmented } from "@lambda/ui/segmented";
import { Skeleton } from "@lambda/ui/skeleton";
import { useRef, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useKeyboardShortcuts } from "../../components/use-keyboard-shortcuts.ts";
import { serverNow } from "../../device/server-clock.ts";
import { useCopy } from "../../format/i18n.ts";
import css from "./dashboard.module.css";
import { NoticeFileView } from "./NoticeFileView.tsx";
import { noticeDeskCopy } from "./notice-copy.ts";

const VIEWS = ["open", "counters", "decided"] as const;
type View = (typeof VIEWS)[number];

/** The notices, soonest due first, with the selected one next to the list. */
export function NoticeDesk() {
  const copy = useCopy(noticeDeskCopy);
  const [view, setView] = useState<View>("open");
  const [selectedId, setSelectedId] = useState<number>();
  const pane = useRef<HTMLDivElement>(null);
  const { data } = trpc.noticeDesk.list.useQuery({ view }, { staleTime: 0, refetchInterval: 60_000 });
  const items = data?.items ?? [];
  const moveSelection = (by: 1 | -1) => {
    const index = items.findIndex(({ id }) => id === selectedId);
    const next = items[index < 0 ? 0 : Math.max(0, Math.min(items.length - 1, index + by))];
    if (next) setSelectedId(next.id);
  };
  useKeyboardShortcuts({
    j: () => moveSelection(1),
    k: () => moveSelection(-1),
    r: () => pane.current?.querySelector("textarea")?.focus(),
  });
  return (
    <div className={css.section}>
      <Segmented<View>
        label={copy.viewLabel}
        value={view}
        onChange={(next) => {
          setView(next);
          setSelectedId(undefined);
        }}
        options={VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      />
      <p className={css.muted}>{copy.keys}</p>
      <div className={css.panes}>
        <div className={css.scroll}>
          {!data && <Skeleton shape="rows" label={copy.loading} />}
          {data && items.length === 0 && <p className={css.muted}>{copy.empty}</p>}
          {items.length > 0 && <NoticeTable notices={items} selectedId={selectedId} onSelect={setSelectedId} />}
        </div>
        <div className={css.pane} ref={pane}>
          {selectedId === undefined ? (
            <p className={css.muted}>{copy.pick}</p>
          ) : (
            <NoticeFileView key={selectedId} id={selectedId} />
          )}
        </div>
      </div>
    </div>
  );
}

interface NoticeTableProps {
  notices: readonly DeskNotice[];
  selectedId: number | undefined;
  onSelect: (id: number) => void;
}

function NoticeTable({ notices, selectedId, onSelect }: NoticeTableProps) {
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
          <tr key={notice.id} aria-current={notice.id === selectedId || undefined}>
            <th scope="row">
              <button type="button" className={css.link} onClick={() => onSelect(notice.id)}>
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

/** Red when less than half of the legal 48 hours is left. */
function TimeLeft({ notice: { tsDue, tsDecided } }: { notice: DeskNotice }) {
  const copy = useCopy(noticeDeskCopy);
  if (tsDue === null || tsDecided !== null) return copy.noHour;
  const left = Date.parse(tsDue) - serverNow();
  const hours = Math.floor(Math.abs(left) / HOUR_MS);
  return (
    <span className={css.severity} data-severity={left < 24 * HOUR_MS ? "5" : undefined}>
      {left < 0 ? copy.over(hours) : copy.left(hours)}
    </span>
  );
}
