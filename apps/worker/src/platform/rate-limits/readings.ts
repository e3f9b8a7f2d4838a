/**
 * What a member reads, counted where it is read: in the memory of this isolate, at no cost to the answer. After the answer the
 * count is joined with that of their RateLimiter object, which other isolates join as well, so that asking elsewhere or waiting for
 * a new isolate gains at most what lies between two joinings.
 */
import {
  CALLS_PER_MINUTE_MAX,
  CALLS_PER_MINUTE_NEW_MAX,
  DAY_MS,
  MEMBERS_SHOWN_PER_DAY_MAX,
  MEMBERS_SHOWN_PER_DAY_NEW_MAX,
  NEW_ACCOUNT_MS,
  PROFILES_OPENED_PER_DAY_MAX,
  PROFILES_OPENED_PER_DAY_NEW_MAX,
} from "@lambda/contract/limits";
import { QUOTAS } from "@lambda/contract/quotas";
import type { Context } from "../context.ts";
import { openDatabase } from "../db/database.ts";
import type { Env } from "../env.ts";
import { type AppError, quotaUsedUp } from "../errors.ts";
import { limiterOf } from "./limit.ts";
import { SeenMembers } from "./seen-members.ts";

const MINUTE_MS = 60_000;
/** Members counted here; whoever was not heard of for longest goes. */
const METERS_MAX = 2000;
/** What is worth a call to the counter: this many more members or changes, or anything after a minute. */
const JOINED_AFTER_MEMBERS = 32;
const JOINED_AFTER_CHANGES = 50;

interface Meter {
  minuteEnds: number;
  calls: number;
  dayEnds: number;
  opened: SeenMembers;
  shown: SeenMembers;
  changes: number;
  /** When the account was made; unknown until the first joining, and new until then. */
  created: number | undefined;
  joined: { at: number; bits: number; changes: number } | undefined;
  joining: boolean;
}

const meters = new Map<number, Meter>();

type Reader = Pick<Context, "env" | "viewer" | "now" | "quotas" | "waitUntil">;

function meterOf(profileId: number): Meter {
  const now = Date.now();
  let meter = meters.get(profileId);
  if (!meter || meter.dayEnds <= now) {
    meter = {
      minuteEnds: 0,
      calls: 0,
      dayEnds: now + DAY_MS,
      opened: new SeenMembers(),
      shown: new SeenMembers(),
      changes: 0,
      created: meter?.created,
      joined: undefined,
      joining: false,
    };
  }
  meters.delete(profileId);
  meters.set(profileId, meter);
  const oldest = meters.keys().next().value;
  if (meters.size > METERS_MAX && oldest !== undefined) meters.delete(oldest);
  return meter;
}

function isNew({ created }: Meter, now: number): boolean {
  return created === undefined || now - created < NEW_ACCOUNT_MS;
}

/**
 * Counts the calls of one request; answers why they are refused, if they are.
 *
 * @param changes how many of them are no mere reading
 */
export function countCalls(ctx: Reader, weight: number, changes: number): AppError | undefined {
  if (!ctx.quotas || !ctx.viewer) return undefined;
  const meter = meterOf(ctx.viewer.profileId);
  const now = Date.now();
  if (meter.minuteEnds <= now) {
    meter.calls = 0;
    meter.minuteEnds = now + MINUTE_MS;
  }
  const max = isNew(meter, ctx.now) ? CALLS_PER_MINUTE_NEW_MAX : CALLS_PER_MINUTE_MAX;
  if (meter.calls + weight > max) return quotaUsedUp("calls", meter.minuteEnds - now);
  if (changes > 0 && meter.changes + changes > QUOTAS.changes.max) {
    return quotaUsedUp("changes", meter.dayEnds - now);
  }
  meter.calls += weight;
  meter.changes += changes;
  return undefined;
}

/** A member's profile, relation or albums are opened, whether the member exists or not. Throws TOO_MANY_REQUESTS. */
export function countOpened(ctx: Reader, profileId: number): void {
  if (!ctx.quotas || !ctx.viewer || ctx.viewer.profileId === profileId) return;
  const meter = meterOf(ctx.viewer.profileId);
  const max = isNew(meter, ctx.now) ? PROFILES_OPENED_PER_DAY_NEW_MAX : PROFILES_OPENED_PER_DAY_MAX;
  if (!meter.opened.has(profileId) && meter.opened.estimate >= max) {
    throw quotaUsedUp("profilesOpened", meter.dayEnds - Date.now());
  }
  meter.opened.add(profileId);
}

/** Members of a list are about to be handed out. Throws TOO_MANY_REQUESTS when the viewer was shown too many others today. */
export function countShown(ctx: Reader, profileIds: readonly number[]): void {
  if (!ctx.quotas || !ctx.viewer) return;
  const meter = meterOf(ctx.viewer.profileId);
  const max = isNew(meter, ctx.now) ? MEMBERS_SHOWN_PER_DAY_NEW_MAX : MEMBERS_SHOWN_PER_DAY_MAX;
  const fresh = profileIds.filter((id) => !meter.shown.has(id));
  if (fresh.length > 0 && meter.shown.estimate >= max) {
    throw quotaUsedUp("membersShown", meter.dayEnds - Date.now());
  }
  for (const id of fresh) meter.shown.add(id);
}

/** After the answer: tells the member's object what was counted here, and learns what was counted elsewhere. */
export function joinReadings(ctx: Reader): void {
  if (!ctx.quotas || !ctx.viewer) return;
  const meter = meterOf(ctx.viewer.profileId);
  if (meter.joining || !isJoiningDue(meter)) return;
  meter.joining = true;
  ctx.waitUntil(
    join(ctx.env, ctx.viewer.profileId, meter).finally(() => {
      meter.joining = false;
    }),
  );
}

function isJoiningDue({ joined, opened, shown, changes }: Meter): boolean {
  if (!joined) return true;
  const bits = opened.bitsSet + shown.bitsSet - joined.bits;
  const changed = changes - joined.changes;
  if (bits >= JOINED_AFTER_MEMBERS || changed >= JOINED_AFTER_CHANGES) return true;
  return bits + changed > 0 && Date.now() - joined.at >= MINUTE_MS;
}

async function join(env: Env, profileId: number, meter: Meter): Promise<void> {
  const changes = meter.changes - (meter.joined?.changes ?? 0);
  const object = await limiterOf(env, `readings:${profileId}`);
  const [all, account] = await Promise.all([
    object.joinReadings({ opened: meter.opened.bits, shown: meter.shown.bits, changes }, DAY_MS),
    meter.created === undefined
      ? openDatabase(env.DB).selectFrom("account").select("ts_created").where("id", "=", profileId).executeTakeFirst()
      : { ts_created: meter.created },
  ]);
  meter.created = account?.ts_created;
  meter.opened = meter.opened.join(all.opened);
  meter.shown = meter.shown.join(all.shown);
  // What was counted here while the object was asked is not in its answer.
  meter.changes = all.changes + (meter.changes - (meter.joined?.changes ?? 0) - changes);
  meter.dayEnds = all.ends;
  meter.joined = { at: Date.now(), bits: meter.opened.bitsSet + meter.shown.bitsSet, changes: all.changes };
}
