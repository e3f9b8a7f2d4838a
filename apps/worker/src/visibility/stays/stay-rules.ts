/**
 * Rules for a member in a country that punishes: pure functions, and SQL conditions that other queries compose. Others
 * learn nothing of it: to them the member hides, has a coarser position or fewer pictures.
 */
import { DAY_MS, STAY_NETWORK_GRACE_MS } from "@lambda/contract/limits";
import { findPunishingCountry } from "@lambda/contract/punishing";
import type { StayChoice, Whereabouts } from "@lambda/contract/travel";
import { type RawBuilder, sql } from "kysely";
import type { TravelStayRow } from "../../platform/db/tables.ts";

/** The columns of a joined `travel_stay as t`. */
export const STAY_COLUMNS = [
  "t.country",
  "t.shown",
  "t.hid_member",
  "t.pictures_withdrawn",
  "t.muted",
  "t.chosen",
  "t.ts_seen",
  "t.ts_left",
  "t.seen_by_device",
  "t.ts_elsewhere",
] as const;

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** Converts the joined columns to a stay; null for a member without one. */
export function toStay(
  row: Nullable<Omit<TravelStayRow, "profile_id">> & { readonly account_id: number },
): TravelStayRow | null {
  const {
    account_id: profile_id,
    country,
    shown,
    hid_member,
    pictures_withdrawn,
    muted,
    chosen,
    ts_seen,
    ts_left,
    seen_by_device,
    ts_elsewhere,
  } = row;
  if (country === null || shown === null || hid_member === null || pictures_withdrawn === null || muted === null)
    return null;
  return {
    profile_id,
    country,
    shown,
    hid_member,
    pictures_withdrawn,
    muted,
    chosen: chosen ?? 0,
    ts_seen: ts_seen ?? 0,
    ts_left,
    seen_by_device: seen_by_device ?? 1,
    ts_elsewhere,
  };
}

/** Where a request shows the member to be: by the device, else by a marker, else by the network. */
export interface Sighting {
  /** A country that punishes, or null. */
  readonly country: string | null;
  /** `none`: nothing tells where the member is. */
  readonly source: "device" | "marker" | "network" | "none";
}

export function sightingOf(
  use: "RANDOM" | "OVERRIDE" | "DEVICE_GPS",
  countryOfPoint: string | null,
  network: string | undefined,
): Sighting {
  if (use === "DEVICE_GPS") return { country: countryOfPoint, source: "device" };
  if (countryOfPoint !== null) return { country: countryOfPoint, source: "marker" };
  const entry = findPunishingCountry(network);
  // Where a law applies only in part of a country, the network cannot tell.
  if (entry?.kind === "regional") return { country: null, source: "none" };
  return { country: entry?.country ?? null, source: "network" };
}

/** The stay if it is still active, or null. */
export const activeStay = (stay: TravelStayRow | null): TravelStayRow | null => (stay?.ts_left === null ? stay : null);

/** Whether the member is shown only in the coarsest cells. */
export function isCoarse(stay: TravelStayRow | null): boolean {
  const active = activeStay(stay);
  return active !== null && active.shown !== "usual";
}

/** An active stay is written again only after this time. */
const SEEN_UPDATE_MS = DAY_MS / 2;

/**
 * Returns the stay after a sighting: a new one starts with every protection. Returns the same object if nothing
 * changes.
 */
export function applyArrival(
  profileId: number,
  before: TravelStayRow | null,
  { country, source }: Sighting,
  hidden: boolean,
  now: number,
): TravelStayRow | null {
  if (country === null) return before;
  const active = activeStay(before);
  const seenByDevice = source === "device" ? 1 : 0;
  if (active?.country === country) {
    const isKnown = active.ts_elsewhere === null && active.seen_by_device >= seenByDevice;
    if (isKnown && now - active.ts_seen < SEEN_UPDATE_MS) return active;
    const seen_by_device = Math.max(active.seen_by_device, seenByDevice) as 0 | 1;
    return { ...active, seen_by_device, ts_elsewhere: null, ts_seen: now };
  }
  return {
    profile_id: profileId,
    country,
    shown: "hidden",
    // A member who had already chosen to hide goes on hiding afterwards.
    hid_member: hidden && !active?.hid_member ? 0 : 1,
    pictures_withdrawn: 1,
    muted: 1,
    chosen: 0,
    ts_seen: now,
    ts_left: null,
    seen_by_device: seenByDevice,
    ts_elsewhere: null,
  };
}

/**
 * Returns the stay after a sighting outside of the countries that punish: a device's ends it. A network, which may be a VPN's, does after it has
 * been elsewhere for a day, unless a device was seen in the country; that member may end it by choosing to be shown as usual.
 *
 * @param isPublishedOutside whether the member's published position is outside too
 */
export function applyDeparture(
  stay: TravelStayRow | null,
  { country, source }: Sighting,
  isPublishedOutside: boolean,
  now: number,
): TravelStayRow | null {
  const active = activeStay(stay);
  if (!active || country !== null) return stay;
  if (source === "device" ? !isPublishedOutside : source === "none" || active.seen_by_device === 1) return stay;
  if (source !== "device" && now - (active.ts_elsewhere ?? now) < STAY_NETWORK_GRACE_MS)
    return active.ts_elsewhere === null ? { ...active, ts_elsewhere: now } : stay;
  return { ...active, pictures_withdrawn: 0, muted: 0, ts_left: now };
}

interface StayTransition {
  readonly before: TravelStayRow | null;
  /** After `applyArrival` and `applyDeparture`. */
  readonly after: TravelStayRow | null;
  readonly hidden: boolean;
  /** The member asks to be hidden or shown. */
  readonly hideRequested: boolean | undefined;
}

/**
 * Returns the stay to store and whether the member is hidden. The start of a stay always hides them, whatever they
 * asked for elsewhere.
 */
export function resolveStay({ before, after, hidden, hideRequested }: StayTransition): {
  stay: TravelStayRow | null;
  hidden: boolean;
} {
  const [previous, current] = [activeStay(before), activeStay(after)];
  if (current && current.country !== previous?.country) return { stay: current, hidden: true };
  if (current) {
    const stay = hideRequested === undefined ? current : applyManualHide(current, hideRequested);
    return { stay, hidden: hideRequested ?? hidden };
  }
  if (previous && after) {
    return { stay: { ...after, hid_member: 0 }, hidden: hideRequested ?? (previous.hid_member === 1 ? false : hidden) };
  }
  return { stay: after, hidden: hideRequested ?? hidden };
}

/**
 * Applies what a member chose on the page about the country. A member who had already chosen to hide goes on hiding.
 */
export function applyStayChoice(
  stay: TravelStayRow,
  { shown, withdrawn, muted }: StayChoice,
  hidden: boolean,
): { stay: TravelStayRow; hidden: boolean } {
  const hides = shown === "hidden";
  const hidMember: 0 | 1 = hides && (stay.hid_member === 1 || !hidden) ? 1 : 0;
  return {
    stay: {
      ...stay,
      shown,
      hid_member: hidMember,
      pictures_withdrawn: withdrawn ? 1 : 0,
      muted: muted ? 1 : 0,
      chosen: 1,
    },
    hidden: hides || (hidden && stay.hid_member === 0),
  };
}

/**
 * What a choice takes away of a stay's protection, as it was before; undefined if nothing. That the member no longer hides is not part of it.
 * Nor is an end of the stay, as the next sighting there begins a new one with every protection.
 */
export function loosenedBy(before: TravelStayRow | null, after: TravelStayRow | null) {
  const [previous, current] = [activeStay(before), activeStay(after)];
  if (!previous || current?.country !== previous.country) return undefined;
  const former = {
    ...(current.shown === "usual" && previous.shown !== "usual" && { shown: "city" as const }),
    ...(current.pictures_withdrawn < previous.pictures_withdrawn && { withdrawn: 1 as const }),
    ...(current.muted < previous.muted && { muted: 1 as const }),
  };
  return Object.keys(former).length === 0 ? undefined : { country: previous.country, ...former };
}

/** Applies that the member hid or showed themselves on the map, which is a choice too. */
function applyManualHide(stay: TravelStayRow, hide: boolean): TravelStayRow {
  const shown = hide ? "hidden" : stay.shown === "hidden" ? "city" : stay.shown;
  return stay.shown === shown && stay.hid_member === 0
    ? stay
    : { ...stay, shown, hid_member: 0, chosen: hide ? stay.chosen : 1 };
}

export function toWhereabouts(stay: TravelStayRow | null): Whereabouts {
  const active = activeStay(stay);
  return {
    stay: active && {
      country: active.country,
      shown: active.shown,
      withdrawn: active.pictures_withdrawn === 1,
      muted: active.muted === 1,
      chosen: active.chosen === 1,
    },
    left: stay && !active ? stay.country : null,
  };
}

/** SQL condition on a column with a member's id: nothing may be pushed to the member. */
export function mutedByStay(profileId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from travel_stay s where s.profile_id = ${sql.ref(profileId)} and s.muted = 1)`;
}

/** SQL condition on a member's id, or on a column with it: content that could expose the member is withdrawn. */
export function withdrawnByStay(member: string | number): RawBuilder<boolean> {
  const id = typeof member === "string" ? sql.ref(member) : sql.val(member);
  return sql<boolean>`exists (select 1 from travel_stay s where s.profile_id = ${id} and s.pictures_withdrawn = 1)`;
}
