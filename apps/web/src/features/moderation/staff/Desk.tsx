import { Link } from "@lambda/ui/link";
import { ListRow } from "@lambda/ui/list-row";
import { Segmented } from "@lambda/ui/segmented";
import { type ReactNode, type RefObject, useRef } from "react";
import { useSearch } from "wouter";
import { QueryState, type QueryStateProps } from "../../../components/QueryState.tsx";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { goTo } from "../../../routing/navigation.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** The address of a section of the dashboard, of one of its views, and of an open entry. */
export function deskPath(section: string, view?: string, id?: number): string {
  const parts = [`section=${section}`, view && `view=${view}`, id !== undefined && `open=${id}`].filter(Boolean);
  return `/dashboard?${parts.join("&")}`;
}

export function useDeskView<View extends string>(views: readonly View[]): View {
  const requested = new URLSearchParams(useSearch()).get("view");
  return views.find((view) => view === requested) ?? (views[0] as View);
}

/** j and k move the focus between the entries of a queue, each marked by `data-row`; r moves it to the reason. */
export function useQueueKeys(): RefObject<HTMLDivElement | null> {
  const queue = useRef<HTMLDivElement>(null);
  const move = (by: 1 | -1) => {
    const rows = [...(queue.current?.querySelectorAll("[data-row]") ?? [])];
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    const row = rows[index < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, index + by))];
    row?.querySelector<HTMLElement>("a, button")?.focus();
  };
  useKeyboardShortcuts({
    j: () => move(1),
    k: () => move(-1),
    r: () => queue.current?.querySelector("textarea")?.focus(),
  });
  return queue;
}

export interface DeskEntry {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  /** How long it has waited, or how long is left. */
  readonly clock: string;
  readonly mark?: ReactNode;
}

export interface DeskProps<View extends string> {
  section: string;
  views: readonly { readonly value: View; readonly label: string }[];
  viewLabel: string;
  query: QueryStateProps["query"];
  /** Undefined until the query answers. */
  entries: readonly DeskEntry[] | undefined;
  /** Asks to choose an entry. */
  pick: string;
  file: (id: number) => ReactNode;
}

/** A queue, and beside it the entry that the address names. On a phone that entry takes the queue's place. */
export function Desk<View extends string>({ section, views, viewLabel, query, entries, pick, file }: DeskProps<View>) {
  const copy = useDashboardCopy();
  const view = useDeskView(views.map(({ value }) => value));
  const open = Number(new URLSearchParams(useSearch()).get("open"));
  const queue = useQueueKeys();
  return (
    <div className={css.section} ref={queue} data-open={open > 0 || undefined}>
      <Segmented<View>
        label={viewLabel}
        value={view}
        onChange={(next) => goTo(deskPath(section, next), { replace: true })}
        options={views}
      />
      <div className={`stack gap-5 ${css.panes}`}>
        <div className={`min-0 ${css.queue}`}>
          {!entries && <QueryState query={query} shape="rows" />}
          {entries?.length === 0 && <p className="muted">{copy.empty}</p>}
          {entries?.map((entry) => (
            <div key={entry.id} className="edge-rows" data-row>
              <ListRow
                href={deskPath(section, view, entry.id)}
                title={entry.title}
                text={entry.text}
                time={entry.clock}
                mark={entry.mark}
                current={entry.id === open}
              />
            </div>
          ))}
        </div>
        <div className={css.pane}>
          {open > 0 ? (
            <>
              <Link href={deskPath(section, view)} className={`tap-target ${css.back}`}>
                {copy.backToList}
              </Link>
              {file(open)}
            </>
          ) : (
            (entries?.length ?? 0) > 0 && <p className="muted">{pick}</p>
          )}
        </div>
      </div>
    </div>
  );
}
