import { MeteredObject } from "../metering/metered-object.ts";
import type {
  Charge,
  Counted,
  Opening,
  OpeningLimits,
  OpeningVerdict,
  RateLimiterApi,
  Refusal,
  UsageCounts,
} from "../objects.ts";
import { SeenMembers } from "./seen-members.ts";
import { areSimilar } from "./sketch.ts";

interface Window {
  readonly count: number;
  readonly ends: number;
}

/**
 * Counts something exactly and globally, such as the attempts for one address; the object's name says what. Windows are fixed and start with
 * their first hit, and counts survive eviction.
 */
export class RateLimiter extends MeteredObject implements RateLimiterApi {
  /** Counts one hit; returns 0, or the milliseconds until the window ends if `max` is used up. */
  async hit(max: number, windowMs: number, amount = 1): Promise<number> {
    return (await this.spend([{ name: "window", amount, max, windowMs }]))?.waitMs ?? 0;
  }

  /** Counts all charges, or none if one exceeds its limit, and returns that one. */
  async spend(charges: readonly Charge[]): Promise<Refusal | null> {
    return (await this.charge(charges)).refusal;
  }

  /** The same, with what is used up of each limit afterwards. */
  async charge(charges: readonly Charge[]): Promise<Counted> {
    const now = Date.now();
    const { kv } = this.ctx.storage;
    const current = charges.map(({ name, windowMs }) => {
      const before = kv.get<Window>(name);
      return { name, ...(before && before.ends > now ? before : { count: 0, ends: now + windowMs }) };
    });
    const exceeded = charges.findIndex(({ amount, max }, index) => current[index]!.count + amount > max);
    if (exceeded !== -1) {
      const { name, ends } = current[exceeded]!;
      return { refusal: { name, waitMs: ends - now }, windows: current };
    }
    const windows = current.map((window, index) => ({ ...window, count: window.count + charges[index]!.amount }));
    for (const { name, count, ends } of windows) kv.put<Window>(name, { count, ends });
    const last = Math.max(...windows.map(({ ends }) => ends));
    if (((await this.ctx.storage.getAlarm()) ?? 0) < last) await this.ctx.storage.setAlarm(last);
    return { refusal: null, windows };
  }

  /** Takes back what was counted for something that was refused, failed or undone, as far as its window still runs. */
  async giveBack(amounts: readonly Pick<Charge, "name" | "amount">[]): Promise<void> {
    const now = Date.now();
    const { kv } = this.ctx.storage;
    for (const { name, amount } of amounts) {
      const window = kv.get<Window>(name);
      if (window && window.ends > now) kv.put(name, { ...window, count: Math.max(0, window.count - amount) });
    }
  }

  /** Adds what one isolate counted since its last call, and returns the totals of the day. */
  async mergeUsage(counts: UsageCounts, windowMs: number): Promise<UsageCounts & { readonly ends: number }> {
    const now = Date.now();
    const stored = await this.ctx.storage.get<UsageCounts & { ends: number }>("readings");
    const before = stored && stored.ends > now ? stored : undefined;
    const usage = {
      opened: new SeenMembers(counts.opened).merge(before?.opened ?? new Uint8Array()).bits,
      shown: new SeenMembers(counts.shown).merge(before?.shown ?? new Uint8Array()).bits,
      changes: counts.changes + (before?.changes ?? 0),
      spent: counts.spent + (before?.spent ?? 0),
      ends: before?.ends ?? now + windowMs,
    };
    await this.ctx.storage.put("readings", usage);
    if (!before) await this.ctx.storage.setAlarm(usage.ends);
    return usage;
  }

  /**
   * Records an opening if it may be sent. Openings to the same member never count against each other, because failed messages are
   * resent.
   */
  async hitOpening({ sketch, to, isOwn }: Opening, limits: OpeningLimits): Promise<OpeningVerdict> {
    const now = Date.now();
    const stored =
      (await this.ctx.storage.get<(Pick<Opening, "sketch" | "to"> & { readonly ts: number })[]>("openings")) ?? [];
    const kept = stored.filter(({ ts }) => ts > now - limits.keptMs);
    const similar = kept.filter((before) => before.to !== to && areSimilar(before.sketch, sketch));
    if (isOwn && similar.length > 0) return { repeated: true, before: similar.length, waitMs: 0 };
    const recent = similar.filter(({ ts }) => ts > now - limits.windowMs);
    const [oldest] = recent;
    if (oldest && recent.length >= limits.max)
      return { repeated: false, before: recent.length, waitMs: oldest.ts + limits.windowMs - now };
    await this.ctx.storage.put("openings", [...kept, { sketch, to, ts: now }].slice(-limits.kept));
    await this.ctx.storage.setAlarm(now + limits.keptMs);
    return { repeated: false, before: recent.length, waitMs: 0 };
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /** Runs at the end of the last window. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
