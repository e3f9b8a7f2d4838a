/**
 * Counts what a member reads, in this isolate's memory so that it costs the response nothing. After the response the counts are synced with
 * the member's RateLimiter object, as in all other isolates, so that switching isolates gains at most what was read since the last sync.
 */
import { WORK_PRICES } from "@lambda/contract/cost";
import {
  CALLS_PER_MINUTE_MAX,
  CALLS_PER_MINUTE_NEW_MAX,
  DAY_MS,
  MEMBERS_SHOWN_PER_DAY_MAX,
  MEMBERS_SHOWN_PER_DAY_NEW_MAX,
  MINUTE_MS,
  NEW_ACCOUNT_MS,
  PROFILES_OPENED_PER_DAY_MAX,
  PROFILES_OPENED_PER_DAY_NEW_MAX,
  WORK_RESERVE,
} from "@lambda/contract/limits";
import { QUOTAS } from "@lambda/contract/quotas";
import { callObject } from "../call-object.ts";
import type { CallRefusal, Context } from "../context.ts";
import { openDatabase } from "../db/database.ts";
import type { Env } from "../env.ts";
import { quotaExceeded } from "../errors.ts";
import type { UsageCounts } from "../objects.ts";
import { requestMeter } from "../spend.ts";
import { getLimiter } from "./limit.ts";
import { SeenMembers } from "./seen-members.ts";
import type { RequestWeight } from "./weigh.ts";

/** Members tracked per isolate; the least recently active ones are dropped. */
const METERS_MAX = 2000;
/** A sync is due after this many more members or changes, or after a minute with any. */
const SYNC_AFTER_MEMBERS = 32;
const SYNC_AFTER_CHANGES = 50;
/** So much can an isolate lose that ends, and each of several spend beyond the day's work. */
const SYNC_AFTER_SPENDING = 200;

interface Meter {
  minuteEnds: number;
  calls: number;
  dayEnds: number;
  opened: SeenMembers;
  shown: SeenMembers;
  changes: number;
  /** Millionths of a dollar. */
  spent: number;
  /** When the account was created; until the first sync it is unknown and the account counts as new. */
  created: number | undefined;
  lastSync: { at: number; bits: number; changes: number; spent: number } | undefined;
  isSyncing: boolean;
}

const meters = new Map<number, Meter>();

type Reader = Pick<Context, "env" | "viewer" | "now" | "quotas" | "waitUntil" | "pictureLookup">;

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
      spent: 0,
      created: meter?.created,
      lastSync: undefined,
      isSyncing: false,
    };
  }
  meters.delete(profileId);
  meters.set(profileId, meter);
  const oldest = meters.keys().next().value;
  if (meters.size > METERS_MAX && oldest !== undefined) meters.delete(oldest);
  return meter;
}

const isNew = ({ created }: Meter, now: number): boolean => created === undefined || now - created < NEW_ACCOUNT_MS;

/**
 * Counts the calls of one request; returns the error if they exceed a quota.
 *
 * @param changes how many of the calls are not reads
 */
export function countCalls(ctx: Reader, { weight, changes }: RequestWeight): CallRefusal | undefined {
  if (!ctx.quotas || !ctx.viewer) return undefined;
  const meter = meterOf(ctx.viewer.profileId);
  const now = Date.now();
  if (meter.minuteEnds <= now) {
    meter.calls = 0;
    meter.minuteEnds = now + MINUTE_MS;
  }
  const max = isNew(meter, ctx.now) ? CALLS_PER_MINUTE_NEW_MAX : CALLS_PER_MINUTE_MAX;
  if (meter.calls + weight > max) return { error: quotaExceeded("calls", meter.minuteEnds - now) };
  if (changes > 0 && meter.changes + changes > QUOTAS.changes.max) {
    return { error: quotaExceeded("changes", meter.dayEnds - now) };
  }
  meter.calls += weight;
  meter.changes += changes;
  if (meter.spent < QUOTAS.work.max) return undefined;
  const sparesSafety = meter.spent < QUOTAS.work.max + WORK_RESERVE;
  return { error: quotaExceeded("work", meter.dayEnds - now), sparesSafety };
}

/** Counts an opened profile, relation or album, even of a member that does not exist. Throws TOO_MANY_REQUESTS. */
export function countOpened(ctx: Reader, profileId: number): void {
  if (!ctx.quotas || !ctx.viewer || ctx.viewer.profileId === profileId) return;
  const meter = meterOf(ctx.viewer.profileId);
  const max = isNew(meter, ctx.now) ? PROFILES_OPENED_PER_DAY_NEW_MAX : PROFILES_OPENED_PER_DAY_MAX;
  if (!meter.opened.has(profileId) && meter.opened.estimate >= max) {
    throw quotaExceeded("profilesOpened", meter.dayEnds - Date.now());
  }
  meter.opened.add(profileId);
}

/** Counts the members of a list before it is returned. Throws TOO_MANY_REQUESTS when the viewer was shown too many members today. */
export function countShown(ctx: Reader, profileIds: readonly number[]): void {
  if (!ctx.quotas || !ctx.viewer) return;
  const meter = meterOf(ctx.viewer.profileId);
  const max = isNew(meter, ctx.now) ? MEMBERS_SHOWN_PER_DAY_NEW_MAX : MEMBERS_SHOWN_PER_DAY_MAX;
  const newIds = profileIds.filter((id) => !meter.shown.has(id));
  if (newIds.length > 0 && meter.shown.estimate >= max) {
    throw quotaExceeded("membersShown", meter.dayEnds - Date.now());
  }
  for (const id of newIds) meter.shown.add(id);
}

/** After the response: adds what the request cost, and syncs the counts with the member's object if that is due. */
export function syncUsage(ctx: Reader, { price }: RequestWeight): void {
  if (!ctx.quotas || !ctx.viewer) return;
  const meter = meterOf(ctx.viewer.profileId);
  // Rows are charged where they are read; an object read these for the request.
  const { rowsRead, rowsWritten } = ctx.pictureLookup?.cost ?? { rowsRead: 0, rowsWritten: 0 };
  meter.spent += price + rowsRead * WORK_PRICES.rowRead + rowsWritten * WORK_PRICES.rowWritten;
  const { profileId } = ctx.viewer;
  // What follows the answer is charged when it is used.
  requestMeter()?.chargeTo((more) => {
    meterOf(profileId).spent += more;
  });
  if (meter.isSyncing || !isSyncDue(meter)) return;
  meter.isSyncing = true;
  ctx.waitUntil(
    sync(ctx.env, ctx.viewer.profileId, meter).finally(() => {
      meter.isSyncing = false;
    }),
  );
}

function isSyncDue({ lastSync, opened, shown, changes, spent }: Meter): boolean {
  if (!lastSync || spent - lastSync.spent >= SYNC_AFTER_SPENDING) return true;
  const bits = opened.bitsSet + shown.bitsSet - lastSync.bits;
  const changed = changes - lastSync.changes;
  if (bits >= SYNC_AFTER_MEMBERS || changed >= SYNC_AFTER_CHANGES) return true;
  return bits + changed > 0 && Date.now() - lastSync.at >= MINUTE_MS;
}

async function sync(env: Env, profileId: number, meter: Meter): Promise<void> {
  const changes = meter.changes - (meter.lastSync?.changes ?? 0);
  const spent = meter.spent - (meter.lastSync?.spent ?? 0);
  const [totals, account] = await Promise.all([
    mergeUsage(env, profileId, { opened: meter.opened.bits, shown: meter.shown.bits, changes, spent }),
    meter.created === undefined
      ? openDatabase(env.DB).selectFrom("account").select("ts_created").where("id", "=", profileId).executeTakeFirst()
      : { ts_created: meter.created },
  ]);
  meter.created = account?.ts_created;
  meter.opened = meter.opened.merge(totals.opened);
  meter.shown = meter.shown.merge(totals.shown);
  // The totals do not include what was counted here during the call.
  meter.changes = totals.changes + (meter.changes - (meter.lastSync?.changes ?? 0) - changes);
  meter.spent = totals.spent + (meter.spent - (meter.lastSync?.spent ?? 0) - spent);
  meter.dayEnds = totals.ends;
  const bits = meter.opened.bitsSet + meter.shown.bitsSet;
  meter.lastSync = { at: Date.now(), bits, changes: totals.changes, spent: totals.spent };
}

/** Development only: what a member's day has cost so far, as this isolate and the member's object know it. */
export async function spentToday(env: Pick<Env, "RATE_LIMITER">, profileId: number): Promise<number> {
  const none = new SeenMembers().bits;
  const { spent } = await mergeUsage(env, profileId, { opened: none, shown: none, changes: 0, spent: 0 });
  const meter = meters.get(profileId);
  return spent + (meter ? meter.spent - (meter.lastSync?.spent ?? 0) : 0);
}

/** Charges a member's day for what no call counts, in millionths of a dollar; false once the day's work is used up. */
export async function chargeMember(env: Pick<Env, "RATE_LIMITER">, profileId: number, price: number): Promise<boolean> {
  const none = new SeenMembers().bits;
  const { spent } = await mergeUsage(env, profileId, { opened: none, shown: none, changes: 0, spent: price });
  return spent < QUOTAS.work.max;
}

function mergeUsage(env: Pick<Env, "RATE_LIMITER">, profileId: number, counts: UsageCounts) {
  return callObject(async () => (await getLimiter(env, `readings:${profileId}`)).mergeUsage(counts, DAY_MS));
}
