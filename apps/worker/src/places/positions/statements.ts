/**
 * The statements that read the presence index, and the one that tidies its counts. They are raw SQL, because ranges of
 * the curve are pairs of bound values in VALUES, padded so that few different statements are prepared, and each range
 * costs no more than the row that ends it.
 */
import { DAY_MS, NEW_MEMBER_DAYS } from "@lambda/contract/limits";
import type { KeyRange } from "@lambda/geo/cover";
import type { CurveKey } from "@lambda/geo/curve";
import { CompiledQuery, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { isChecked } from "../../visibility/is-checked.ts";
import { type Searcher, visibleInPresenceSql } from "../../visibility/visibility.ts";

/** The columns of a brief. */
export interface FoundRow {
  readonly key: CurveKey;
  readonly profile_id: number;
  readonly random_order: number;
  readonly profile_name: string;
  readonly characteristics: number;
  readonly birth_day: number | null;
  readonly height: string;
  readonly weight: string;
  readonly pics_public: string;
  readonly ts_seen: number;
  /** Only if the search asks for it. */
  readonly unjudged?: number;
  readonly tonight?: number;
  readonly checked?: number;
  readonly new_here?: number;
  readonly untalked?: number;
}

export const COLUMNS = `p.key, p.profile_id, p.random_order, p.profile_name, p.characteristics, p.birth_day, p.height,
  p.weight, p.pics_public, p.ts_seen`;

/** The only way in which a number gets into the text of these statements. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError("not an integer");
  return String(value);
}

/** The visibility rule: ?1 is the time, ?2 the searcher. */
export function visibleRows({ brandBit }: Searcher, keys: string): string {
  return `${keys} AND ${visibleInPresenceSql(int(brandBit), "?1", "?2")}`;
}

/** Whether the searcher neither liked nor disliked `p`, as a further column. */
function unjudgedColumn(searcher: string): string {
  return `, NOT EXISTS (SELECT 1 FROM profile_like l WHERE l.liker_id = ${searcher} AND l.liked_id = p.profile_id
    AND l.like_type IN ('LIKE', 'DISLIKE')) AS unjudged`;
}

/**
 * Whether the member with this id is out tonight: at a chosen place or where their device is, and not in a country that punishes.
 * Who may see the member is not checked.
 */
export function isOutTonight(profileId: string, now: string): string {
  return `EXISTS (SELECT 1 FROM tonight n JOIN position at ON at.profile_id = n.profile_id
    WHERE n.profile_id = ${profileId} AND n.ts_until > ${now} AND at.use <> 'RANDOM' AND at.ts_effective_until > ${now}
    AND NOT EXISTS (SELECT 1 FROM travel_stay y WHERE y.profile_id = n.profile_id AND y.ts_left IS NULL))`;
}

/** The column that a filter for checked members needs, of a row `p` of `presence`. */
const checkedColumn = (now: string) => `, ${isChecked("p.profile_id", now)} AS checked`;

/** Whether the searcher never wrote to `p`, as a further column. What `p` wrote does not count, and so reveals nothing that was unsent. */
function untalkedColumn(searcher: string): string {
  return `, NOT EXISTS (SELECT 1 FROM message_pair m WHERE m.low_id = min(p.profile_id, ${searcher})
    AND m.high_id = max(p.profile_id, ${searcher}) AND iif(m.low_id = ${searcher}, m.low_count, m.high_count) > 0) AS untalked`;
}

/**
 * Whether a row `a` of `account` registered within the last seven days. All change at midnight UTC, so that watching for the end tells no
 * more than the day. Who may see the member is not checked.
 */
export const isNewAccount = (now: string): string =>
  `a.ts_created >= ${now} - ${now} % ${DAY_MS} - ${NEW_MEMBER_DAYS * DAY_MS}`;

/** The columns beyond those of a brief that a search filters on. */
export interface ExtraColumns {
  readonly checked?: boolean | undefined;
  readonly unjudged?: boolean | undefined;
  readonly tonight?: boolean | undefined;
  readonly newHere?: boolean | undefined;
  readonly notTalkedTo?: boolean | undefined;
}

/**
 * The columns that these filters need of a row `p` like one of `presence`. Each search takes them from here: a filter whose column is missing
 * finds nobody.
 *
 * @param searcher the expression for the searcher's id
 * @param now the expression for the time
 */
export function extraColumns(
  { unjudged, tonight, checked, newHere, notTalkedTo }: ExtraColumns,
  searcher = "?2",
  now = "?1",
): string {
  const columns = [
    unjudged && unjudgedColumn(searcher),
    tonight && `, ${isOutTonight("p.profile_id", now)} AS tonight`,
    checked && checkedColumn(now),
    newHere && `, EXISTS (SELECT 1 FROM account a WHERE a.id = p.profile_id AND ${isNewAccount(now)}) AS new_here`,
    notTalkedTo && untalkedColumn(searcher),
  ];
  return columns.filter((column) => column).join("");
}

/** Statements are prepared for these numbers of ranges; the last is what 100 bound values can hold. */
const RANGE_COUNTS = [1, 2, 4, 8, 16, 32, 48];
/** The few covers that need more have their numbers in the text, within D1's 100 KB per statement. */
export const RANGES_MAX = 300;

export interface InRanges {
  /** At most RANGES_MAX. */
  readonly ranges: readonly KeyRange[];
  readonly extra?: ExtraColumns | undefined;
  /** For pages along the curve: only rows after this one. */
  readonly after?: { readonly key: number; readonly profileId: number };
  readonly limit: number;
}

/** Members in some ranges of the curve, in curve order. */
export function inRangesQuery(
  searcher: Searcher,
  { ranges, extra = {}, after, limit }: InRanges,
): CompiledQuery<FoundRow> {
  const later = after && `(p.key > ${int(after.key)} OR p.profile_id > ${int(after.profileId)})`;
  const count = RANGE_COUNTS.find((max) => max >= ranges.length);
  const filled = Array.from({ length: count ?? 0 }, (_, index) => ranges[index] ?? { lo: 0, hi: 0 });
  const pairs = count
    ? filled.map((_, index) => `(?${3 + 2 * index}, ?${4 + 2 * index})`).join(",")
    : ranges.map(({ lo, hi }) => `(${int(lo)}, ${int(hi)})`).join(",");
  const text = `WITH span(lo, hi) AS (VALUES ${pairs})
  SELECT ${COLUMNS}${extraColumns(extra)} FROM span CROSS JOIN presence p
  WHERE span.lo < span.hi AND ${visibleRows(searcher, "p.key >= span.lo AND p.key < span.hi")}
  ${later ? `AND ${later}` : ""} LIMIT ${int(limit)}`;
  return CompiledQuery.raw(text, [searcher.now, searcher.profileId, ...filled.flatMap(({ lo, hi }) => [lo, hi])]);
}

/**
 * The rows next to a key on the curve, at most `perSide` before it and `perSide` from it on: what is near on the curve
 * is near in space.
 */
export function neighborsOnCurveQuery(
  searcher: Searcher,
  key: CurveKey,
  perSide: number,
  extra: ExtraColumns = {},
): CompiledQuery<FoundRow> {
  const columns = `${COLUMNS}${extraColumns(extra)}`;
  const side = (keys: string, order: string) =>
    `SELECT * FROM (SELECT ${columns} FROM presence p WHERE ${visibleRows(searcher, keys)} ORDER BY p.key ${order} LIMIT ${int(perSide)})`;
  const text = `${side("p.key >= ?3", "")} UNION ALL ${side("p.key < ?3", "DESC")}`;
  return CompiledQuery.raw(text, [searcher.now, searcher.profileId, key]);
}

/**
 * Moves every count to its own region's row and drops those that are 0, in one statement so that no concurrent change
 * is lost.
 */
export async function reconcileSquareCounts(db: Database): Promise<void> {
  await sql`INSERT INTO presence_count
    SELECT n.region, json_group_object(n.name, n.count) FILTER (WHERE n.count <> 0)
    FROM (
      SELECT e.region, e.name, sum(e.count) AS count FROM (
        SELECT CAST(substr(j.key, instr(j.key, ':') + 1) AS INTEGER) >> 10 AS region, j.key AS name, j.value AS count
        FROM presence_count c, json_each(c.squares) j
        UNION ALL SELECT region, '', 0 FROM presence_count
      ) e GROUP BY e.region, e.name
    ) n GROUP BY 1
    ON CONFLICT (region) DO UPDATE SET squares = excluded.squares`.execute(db);
}
