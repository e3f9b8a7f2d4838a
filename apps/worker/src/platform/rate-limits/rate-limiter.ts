import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import type { Charge, Opening, OpeningLimits, OpeningVerdict, RateLimiterApi, Readings, Refusal } from "../objects.ts";
import { SeenMembers } from "./seen-members.ts";
import { areAlike } from "./sketch.ts";

interface Window {
  readonly count: number;
  readonly ends: number;
}

interface KeptOpening extends Pick<Opening, "sketch" | "to"> {
  readonly ts: number;
}

/**
 * Counts things (the tries for one address, the messages of one member) exactly, all over the world: the object's name is
 * what is counted. Fixed windows that start with their first hit; counts survive eviction.
 */
export class RateLimiter extends DurableObject<Env> implements RateLimiterApi {
  /** Counts one hit; answers 0, or the milliseconds until the window ends when `max` is used up. */
  async hit(max: number, windowMs: number): Promise<number> {
    return (await this.spend([{ name: "window", amount: 1, max, windowMs }]))?.waitMs ?? 0;
  }

  /** Counts all charges, or none and answers which has no room. */
  async spend(charges: readonly Charge[]): Promise<Refusal | null> {
    const now = Date.now();
    const stored = await this.ctx.storage.get<Window>(charges.map(({ name }) => name));
    const next = new Map<string, Window>();
    for (const { name, amount, max, windowMs } of charges) {
      const before = stored.get(name);
      const window = before && before.ends > now ? before : { count: 0, ends: now + windowMs };
      if (window.count + amount > max) return { name, waitMs: window.ends - now };
      next.set(name, { ...window, count: window.count + amount });
    }
    await this.ctx.storage.put(Object.fromEntries(next));
    const last = Math.max(...[...next.values()].map(({ ends }) => ends));
    if (((await this.ctx.storage.getAlarm()) ?? 0) < last) await this.ctx.storage.setAlarm(last);
    return null;
  }

  /** Adds what one isolate counted since it last did so, and answers the whole day. */
  async joinReadings(news: Readings, windowMs: number): Promise<Readings & { readonly ends: number }> {
    const now = Date.now();
    const stored = await this.ctx.storage.get<Readings & { ends: number }>("readings");
    const before = stored && stored.ends > now ? stored : undefined;
    const readings = {
      opened: new SeenMembers(news.opened).join(before?.opened ?? new Uint8Array()).bits,
      shown: new SeenMembers(news.shown).join(before?.shown ?? new Uint8Array()).bits,
      changes: news.changes + (before?.changes ?? 0),
      ends: before?.ends ?? now + windowMs,
    };
    await this.ctx.storage.put("readings", readings);
    if (!before) await this.ctx.storage.setAlarm(readings.ends);
    return readings;
  }

  /**
   * Remembers an opening that may go. Those to the same member never count against each other: a message that failed on its way is
   * sent again.
   */
  async hitOpening({ sketch, to, isOwn }: Opening, limits: OpeningLimits): Promise<OpeningVerdict> {
    const now = Date.now();
    const stored = (await this.ctx.storage.get<KeptOpening[]>("openings")) ?? [];
    const kept = stored.filter(({ ts }) => ts > now - limits.keptMs);
    const alike = kept.filter((before) => before.to !== to && areAlike(before.sketch, sketch));
    if (isOwn && alike.length > 0) return { repeated: true, before: alike.length, waitMs: 0 };
    const recent = alike.filter(({ ts }) => ts > now - limits.windowMs);
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

  /** At the end of the last window. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
