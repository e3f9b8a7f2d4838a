import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";

/**
 * Counts one thing (the tries for one address, the uploads of one member) exactly, all over the world: the object's
 * name is what is counted. A fixed window that starts with its first hit; counts survive eviction.
 */
export class RateLimiter extends DurableObject<Env> {
  /** Counts one hit; answers 0, or the milliseconds until the window ends when `max` is used up. */
  async hit(max: number, windowMs: number): Promise<number> {
    const now = Date.now();
    const stored = await this.ctx.storage.get<{ count: number; ends: number }>("window");
    const window = stored && stored.ends > now ? stored : { count: 0, ends: now + windowMs };
    if (window.count >= max) return window.ends - now;
    await this.ctx.storage.put("window", { count: window.count + 1, ends: window.ends });
    if (window !== stored) await this.ctx.storage.setAlarm(window.ends);
    return 0;
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
