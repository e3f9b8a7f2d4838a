import { DurableObject } from "cloudflare:workers";
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import type { Counts, MetricsApi, Minute, OpenIncident } from "../objects.ts";
import { listAlerts } from "./alerts.ts";
import { asTold, listUntold, nextIncidents } from "./incidents.ts";
import { merge } from "./merge.ts";
import { addToRow, createTables, dropBefore, latestHour, readRows } from "./statements.ts";
import { tellOperator } from "./tell-operator.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINUTES_KEPT_MS = 2 * DAY_MS;
const HOURS_KEPT_MS = 90 * DAY_MS;
const INCIDENTS_KEPT_MS = 90 * DAY_MS;
/** What the rules look at, and no more. */
const WATCHED_MS = 65 * MINUTE_MS;
/** Whoever adds counts looks too when the clock does not come. */
const LOOKED_AT_LEAST_EVERY_MS = 5 * MINUTE_MS;

/**
 * The site's figures, one object for all brands: a row a minute for two days and a row an hour for ninety, and the incidents. It is apart from
 * the database, whose faults it tells of.
 */
export class MetricsObject extends DurableObject<Env> implements MetricsApi {
  #looking = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    createTables(ctx.storage.sql);
  }

  async add(counts: Counts, now: number = Date.now()): Promise<void> {
    addToRow(this.ctx.storage.sql, "minute", now - (now % MINUTE_MS), await this.#withOpenSockets(counts));
    const { lastLook = now } = await this.#state();
    if (now - lastLook > LOOKED_AT_LEAST_EVERY_MS) await this.#look(now);
  }

  /** Once a minute, by the clock. */
  async tick(counts: Counts, now: number): Promise<void> {
    addToRow(this.ctx.storage.sql, "minute", now - (now % MINUTE_MS), await this.#withOpenSockets(counts));
    await this.ctx.storage.put("lastTick", now);
    this.#rollUp(now);
    await this.#look(now);
  }

  async read(from: number, stepMs: number): Promise<Minute[]> {
    // Hours are complete once they are over; of younger ones the minutes are.
    const fine = stepMs < HOUR_MS;
    const rows = fine
      ? readRows(this.ctx.storage.sql, "minute", from)
      : [...readRows(this.ctx.storage.sql, "hour", from), ...this.#unrolled(from)];
    const steps = new Map<number, Counts>();
    for (const { ts, counts } of rows) {
      const at = ts - (ts % stepMs);
      steps.set(at, merge(steps.get(at) ?? {}, counts));
    }
    return [...steps].map(([ts, counts]) => ({ ts, counts })).toSorted((one, other) => one.ts - other.ts);
  }

  async incidents(): Promise<OpenIncident[]> {
    return (await this.ctx.storage.get<OpenIncident[]>("incidents")) ?? [];
  }

  /** Minutes of hours that have no row of their own yet. */
  #unrolled(from: number): Minute[] {
    const { sql } = this.ctx.storage;
    const last = latestHour(sql);
    return readRows(sql, "minute", Math.max(from, last === null ? 0 : last + HOUR_MS));
  }

  #rollUp(now: number): void {
    const { sql } = this.ctx.storage;
    const current = now - (now % HOUR_MS);
    for (const { ts, counts } of this.#unrolled(0)) {
      if (ts < current) addToRow(sql, "hour", ts - (ts % HOUR_MS), counts);
    }
    dropBefore(sql, "minute", now - MINUTES_KEPT_MS);
    dropBefore(sql, "hour", now - HOURS_KEPT_MS);
  }

  /** What opened and has not closed since this version came: with another all connections end, and no object hears of it. */
  async #withOpenSockets(counts: Counts): Promise<Counts> {
    const { storage } = this.ctx;
    const version = this.env.GIT_COMMIT_HASH ?? "";
    const before = await storage.get<{ version: string; open: number }>("sockets");
    const change = (counts.socketsOpened ?? 0) - (counts.socketsClosed ?? 0);
    const open = Math.max(0, (before?.version === version ? before.open : 0) + change);
    if (before?.version !== version || before.open !== open) await storage.put("sockets", { version, open });
    return { ...counts, socketsOpen: open };
  }

  async #state(): Promise<{ lastTick?: number; lastLook?: number }> {
    return Object.fromEntries(await this.ctx.storage.get<number>(["lastTick", "lastLook"]));
  }

  /** Others add while the operator is being told: of looks at once one goes on. */
  async #look(now: number): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const { lastTick } = await this.#state();
      await this.ctx.storage.put("lastLook", now);
      const alerts = listAlerts({ minutes: readRows(this.ctx.storage.sql, "minute", now - WATCHED_MS), now, lastTick });
      let incidents = nextIncidents(await this.incidents(), alerts, now).filter(
        ({ until }) => until === null || until > now - INCIDENTS_KEPT_MS,
      );
      await this.ctx.storage.put("incidents", incidents);
      const untold = listUntold(incidents);
      if (untold.length === 0 || !(await tellOperator(this.env, untold))) return;
      incidents = incidents.map((incident) => (untold.includes(incident) ? asTold(incident) : incident));
      await this.ctx.storage.put("incidents", incidents);
    } finally {
      this.#looking = false;
    }
  }
}
