/**
 * What holds for a member in a country that punishes: pure rules, and the conditions that other queries compose. Others are told
 * nothing of it: to them the member hides, has a coarser position or fewer pictures.
 */
import { DAY_MS, STAY_AWAY_MS } from "@lambda/contract/limits";
import { punishingCountry } from "@lambda/contract/punishing";
import type { StayChoice, Whereabouts } from "@lambda/contract/travel";
import { type RawBuilder, sql } from "kysely";
import type { TravelStayRow } from "../../platform/db/tables.ts";

/** The columns of a joined `travel_stay as t`. */
export const STAY_COLUMNS = [
  "t.country",
  "t.shown",
  "t.hid",
  "t.withdrawn",
  "t.muted",
  "t.chosen",
  "t.ts_seen",
  "t.ts_left",
] as const;

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** The joined row without its nulls; null for a member without one. */
export function toStay(
  row: Nullable<Omit<TravelStayRow, "profile_id">> & { readonly account_id: number },
): TravelStayRow | null {
  const { account_id: profile_id, country, shown, hid, withdrawn, muted, chosen, ts_seen, ts_left } = row;
  if (country === null || shown === null || hid === null || withdrawn === null || muted === null) return null;
  return { profile_id, country, shown, hid, withdrawn, muted, chosen: chosen ?? 0, ts_seen: ts_seen ?? 0, ts_left };
}

/** Where a member is, as far as a request tells: the device before a marker, and the network only without a device. */
export interface Sight {
  /** A country that punishes, or null. */
  readonly land: string | null;
  readonly by: "device" | "marker" | "network";
}

export function sightOf(
  use: "RANDOM" | "OVERRIDE" | "DEVICE_GPS",
  landOfPoint: string | null,
  network: string | undefined,
): Sight {
  if (use === "DEVICE_GPS") return { land: landOfPoint, by: "device" };
  if (landOfPoint !== null) return { land: landOfPoint, by: "marker" };
  // Of a law that holds in a part of a country alone, the network cannot tell.
  const entry = punishingCountry(network);
  return { land: entry && entry.kind !== "regional" ? entry.country : null, by: "network" };
}

/** The stay that runs, or null. */
export function running(stay: TravelStayRow | null): TravelStayRow | null {
  return stay?.ts_left === null ? stay : null;
}

/** The member is shown in the coarsest cells. */
export function isCoarse(stay: TravelStayRow | null): boolean {
  const now = running(stay);
  return now !== null && now.shown !== "usual";
}

/** What is seen of a running stay counts for so long without another row written. */
const SEEN_STEP_MS = DAY_MS / 2;

/** The stay once somewhere was seen: a new one protects in everything. The same object when nothing changes. */
export function arrive(
  profileId: number,
  before: TravelStayRow | null,
  { land }: Sight,
  hidden: boolean,
  now: number,
): TravelStayRow | null {
  if (land === null) return before;
  const ran = running(before);
  if (ran?.country === land) return now - ran.ts_seen < SEEN_STEP_MS ? ran : { ...ran, ts_seen: now };
  return {
    profile_id: profileId,
    country: land,
    shown: "hidden",
    // Whoever hides by their own will goes on hiding afterwards.
    hid: hidden && !ran?.hid ? 0 : 1,
    withdrawn: 1,
    muted: 1,
    chosen: 0,
    ts_seen: now,
    ts_left: null,
  };
}

/**
 * The stay once nothing that punishes was seen.
 *
 * @param settled what is published of the member lies outside as well
 */
export function leave(
  stay: TravelStayRow | null,
  { land, by }: Sight,
  settled: boolean,
  now: number,
): TravelStayRow | null {
  const ran = running(stay);
  if (!ran || land !== null) return stay;
  if (by === "device" ? !settled : now - ran.ts_seen < STAY_AWAY_MS) return stay;
  return { ...ran, withdrawn: 0, muted: 0, ts_left: now };
}

interface Passage {
  readonly before: TravelStayRow | null;
  /** After `arrive` and `leave`. */
  readonly after: TravelStayRow | null;
  readonly hidden: boolean;
  /** The member asks to be hidden or shown. */
  readonly wish: boolean | undefined;
}

/** What is written of the stay, and whether the member is hidden: where one begins they are, whatever was asked for elsewhere. */
export function settle({ before, after, hidden, wish }: Passage): { stay: TravelStayRow | null; hidden: boolean } {
  const [ran, runs] = [running(before), running(after)];
  if (runs && runs.country !== ran?.country) return { stay: runs, hidden: true };
  if (runs) return { stay: wish === undefined ? after : sayHide(runs, wish), hidden: wish ?? hidden };
  if (ran && after) return { stay: { ...after, hid: 0 }, hidden: wish ?? (ran.hid === 1 ? false : hidden) };
  return { stay: after, hidden: wish ?? hidden };
}

/** What a member chose on the page about the country. Who hides by their own will goes on hiding. */
export function choose(
  stay: TravelStayRow,
  { shown, withdrawn, muted }: StayChoice,
  hidden: boolean,
): { stay: TravelStayRow; hidden: boolean } {
  const hides = shown === "hidden";
  const hid: 0 | 1 = hides && (stay.hid === 1 || !hidden) ? 1 : 0;
  return {
    stay: { ...stay, shown, hid, withdrawn: withdrawn ? 1 : 0, muted: muted ? 1 : 0, chosen: 1 },
    hidden: hides || (hidden && stay.hid === 0),
  };
}

/** The member hid or showed themselves as anywhere else, which is a choice too. */
function sayHide(stay: TravelStayRow, hide: boolean): TravelStayRow {
  const shown = hide ? "hidden" : stay.shown === "hidden" ? "city" : stay.shown;
  return stay.shown === shown && stay.hid === 0 ? stay : { ...stay, shown, hid: 0, chosen: hide ? stay.chosen : 1 };
}

export function toWhereabouts(stay: TravelStayRow | null): Whereabouts {
  const ran = running(stay);
  return {
    stay: ran && {
      country: ran.country,
      shown: ran.shown,
      withdrawn: ran.withdrawn === 1,
      muted: ran.muted === 1,
      chosen: ran.chosen === 1,
    },
    left: stay && !ran ? stay.country : null,
  };
}

/** Nothing may be pushed to the member: a condition on a column with their id. */
export function mutedByStay(profileId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from travel_stay s where s.profile_id = ${sql.ref(profileId)} and s.muted = 1)`;
}

/** What could give the member away is out of sight: a condition on their id, or on a column with it. */
export function withdrawnByStay(member: string | number): RawBuilder<boolean> {
  const id = typeof member === "string" ? sql.ref(member) : sql.val(member);
  return sql<boolean>`exists (select 1 from travel_stay s where s.profile_id = ${id} and s.withdrawn = 1)`;
}
