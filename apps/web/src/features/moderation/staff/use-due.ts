import { isolate } from "@lambda/contract/isolate";
import { HOUR_MS } from "@lambda/contract/limits";
import { RULES } from "@lambda/contract/moderation";
import type { DeskNotice } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { trpc } from "../../../api/trpc.ts";
import { allAsOne } from "../../../components/all-as-one.ts";
import { serverNow } from "../../../device/server-clock.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useDashboardCopy } from "./copy.ts";
import { deskPath } from "./Desk.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";

const REFETCH_MS = 60_000;
/** A legal deadline is urgent once half of the 48 hours are gone. */
const URGENT_MS = 24 * HOUR_MS;

export const isUrgent = ({ tsDue, tsDecided }: { tsDue: string | null; tsDecided?: string | null }): boolean =>
  tsDue !== null && !tsDecided && Date.parse(tsDue) - serverNow() < URGENT_MS;

/** The member whom a case is about, in a line with other words. */
export const subjectOf = (entry: { subjectName: string; subjectProfileId: number }): string =>
  isolate(entry.subjectName) || String(entry.subjectProfileId);

/** How long something has waited: "5 min", "3 h", "2 d". */
export function useAge(): (iso: string) => string {
  const { age } = useDashboardCopy();
  return (iso) => {
    const minutes = Math.max(0, Math.floor((serverNow() - Date.parse(iso)) / 60_000));
    if (minutes < 60) return age.minutes(minutes);
    return minutes < 48 * 60 ? age.hours(Math.floor(minutes / 60)) : age.days(Math.floor(minutes / (24 * 60)));
  };
}

/** How long is left until a deadline, or by how long it is over. */
export function useTimeLeft(): (iso: string) => string {
  const copy = useNoticeDeskCopy();
  return (iso) => {
    const left = Date.parse(iso) - serverNow();
    const hours = Math.floor(Math.abs(left) / HOUR_MS);
    return left < 0 ? copy.over(hours) : copy.left(hours);
  };
}

export function useNoticeText(): (notice: DeskNotice) => { title: string; text: string } {
  const copy = useNoticeDeskCopy();
  const rules = useCopy(ruleCopy);
  return (notice) => ({
    title: notice.kind === "intimate" ? copy.kind.intimate : rules[notice.category],
    text: [
      notice.ref,
      copy.state[notice.state],
      !notice.confirmed && copy.unconfirmed,
      notice.countered && copy.objection,
      notice.pictures > 0 && copy.pictureCount(notice.pictures),
      notice.brand,
    ]
      .filter(Boolean)
      .join(" · "),
  });
}

interface DueItem {
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly tsCreated: string;
  /** The legal deadline, or the one that the house set itself. */
  readonly tsDue: string;
}

/** Within how many hours staff want to decide, by severity; the law's deadline for a notice is its own. */
const HOURS_BY_SEVERITY: Readonly<Record<number, number>> = { 5: 24, 4: 48, 3: 7 * 24 };
const HOURS_OTHERWISE = 14 * 24;
const APPEAL_HOURS = 7 * 24;

const dueAfter = (tsCreated: string, hours: number): string =>
  new Date(Date.parse(tsCreated) + hours * HOUR_MS).toISOString();

/**
 * What waits for staff, what is due first at the top, and how many entries wait in each section, where 50 stands for 50 and more.
 * Refetched every minute.
 */
export function useDue() {
  const copy = useDashboardCopy();
  const rules = useCopy(ruleCopy);
  const notice = useNoticeText();
  const options = { refetchInterval: REFETCH_MS };
  const queries = trpc.useQueries((t) => [
    t.admin.queue({ view: "staff" }, options),
    t.admin.queue({ view: "appeals" }, options),
    t.noticeDesk.list({ view: "open" }, options),
    t.noticeDesk.list({ view: "counters" }, options),
    t.games.reviews(undefined, options),
    t.admin.contact({ done: false }, options),
  ]);
  const [cases, appeals, notices, objections, votes, messages] = queries;
  const query = allAsOne(queries);
  if (!cases.data || !appeals.data || !notices.data || !objections.data || !votes.data || !messages.data) {
    return { items: undefined, query, counts: {} as Partial<Record<string, number>> };
  }
  const ofCases = (view: "staff" | "appeals", { items }: typeof cases.data): DueItem[] =>
    items.map((entry) => ({
      href: deskPath("queue", view, entry.id),
      title: rules[entry.category],
      text: `${copy.due[view]} · ${subjectOf(entry)}`,
      tsCreated: entry.tsCreated,
      tsDue: dueAfter(
        entry.tsCreated,
        view === "appeals" ? APPEAL_HOURS : (HOURS_BY_SEVERITY[RULES[entry.category].severity] ?? HOURS_OTHERWISE),
      ),
    }));
  const ofNotices = (view: "open" | "counters", { items }: typeof notices.data): DueItem[] =>
    items.map((entry) => {
      const { title, text } = notice(entry);
      return {
        href: deskPath("notices", view, entry.id),
        title,
        text: `${copy.due[view]} · ${text}`,
        tsCreated: entry.tsCreated,
        tsDue: (view === "open" && entry.tsDue) || dueAfter(entry.tsCreated, APPEAL_HOURS),
      };
    });
  const queue = [...ofCases("staff", cases.data), ...ofCases("appeals", appeals.data)];
  const desk = [...ofNotices("open", notices.data), ...ofNotices("counters", objections.data)];
  const times = {
    reviews: votes.data.items.map(({ tsWaiting }) => tsWaiting),
    messages: messages.data.items.map(({ tsCreated }) => tsCreated),
  };
  /** Sections whose entries are decided in the list itself stand as one line, as old as their oldest entry. */
  const lists = (["reviews", "messages"] as const).flatMap((section): DueItem[] => {
    const [oldest] = times[section].toSorted();
    const line = { href: deskPath(section), title: copy[section], text: copy.waiting(times[section].length) };
    return oldest === undefined ? [] : [{ ...line, tsCreated: oldest, tsDue: dueAfter(oldest, HOURS_OTHERWISE) }];
  });
  return {
    items: [...queue, ...desk, ...lists].sort((a, b) => Date.parse(a.tsDue) - Date.parse(b.tsDue)),
    query,
    counts: {
      queue: queue.length,
      notices: desk.length,
      reviews: times.reviews.length,
      messages: times.messages.length,
    } as Partial<Record<string, number>>,
  };
}
