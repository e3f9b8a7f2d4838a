import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { MeteredObject } from "../metering/metered-object.ts";
import type { Counts, MetricsApi, Minute, OpenIncident, SiteStatus } from "../objects.ts";
import { findAlerts, listDeniedRoutes, TICK_MISSED_MS } from "./alerts.ts";
import { listUnreported, markReported, updateIncidents } from "./incidents.ts";
import { mergeCounts } from "./merge.ts";
import { notifyOperator } from "./notify-operator.ts";
import { addToRow, createTables, deleteBefore, latestHour, readRows } from "./statements.ts";

const MINUTES_KEPT_MS = 2 * DAY_MS;
const HOURS_KEPT_MS = 90 * DAY_MS;
const INCIDENTS_KEPT_MS = 90 * DAY_MS;
/** The longest window of the alerts. */
const ALERT_WINDOW_MS = 65 * MINUTE_MS;
/** Adding counts checks the alerts too if the minute cron stops running. */
const CHECK_INTERVAL_MAX_MS = 5 * MINUTE_MS;

/**
 * The site's metrics, one object for all brands: a row per minute for two days, a row per hour for 90 days, and the incidents. Separate from
 * the database, so that it can report the database's failures.
 */
export class MetricsObject extends MeteredObject implements MetricsApi {
  #isChecking = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    createTables(ctx.storage.sql);
  }

  async add(counts: Counts, now: number = Date.now()): Promise<void> {
    addToRow(this.ctx.storage.sql, "minute", now - (now % MINUTE_MS), await this.#withOpenSockets(counts));
    const lastLook = (await this.ctx.storage.get<number>("lastLook")) ?? (await this.#lastTick(now));
    if (now - lastLook > CHECK_INTERVAL_MAX_MS) await this.#checkAlerts(now);
  }

  async tick(counts: Counts, now: number): Promise<void> {
    addToRow(this.ctx.storage.sql, "minute", now - (now % MINUTE_MS), await this.#withOpenSockets(counts));
    await this.ctx.storage.put("lastTick", now);
    this.#rollUp(now);
    await this.#checkAlerts(now);
  }

  async read(from: number, stepMs: number): Promise<Minute[]> {
    // Hour rows exist only for past hours; the current one is read from its minutes.
    const rows =
      stepMs < HOUR_MS
        ? readRows(this.ctx.storage.sql, "minute", from)
        : [...readRows(this.ctx.storage.sql, "hour", from), ...this.#minutesSinceLastHour(from)];
    const steps = new Map<number, Counts>();
    for (const { ts, counts } of rows) {
      const at = ts - (ts % stepMs);
      steps.set(at, mergeCounts(steps.get(at) ?? {}, counts));
    }
    return [...steps].map(([ts, counts]) => ({ ts, counts })).toSorted((one, other) => one.ts - other.ts);
  }

  async incidents(): Promise<OpenIncident[]> {
    return (await this.ctx.storage.get<OpenIncident[]>("incidents")) ?? [];
  }

  async status(now: number = Date.now()): Promise<SiteStatus> {
    const isSilent = now - (await this.#lastTick(now)) > TICK_MISSED_MS;
    return { incidents: await this.incidents(), isSilent };
  }

  /** From when on the cron is missed: without a first run since these metrics began. */
  async #lastTick(now: number): Promise<number> {
    const last = await this.ctx.storage.get<number>("lastTick");
    if (last === undefined) await this.ctx.storage.put("lastTick", now);
    return last ?? now;
  }

  /** Minutes of hours that have no row yet. */
  #minutesSinceLastHour(from: number): Minute[] {
    const { sql } = this.ctx.storage;
    const last = latestHour(sql);
    return readRows(sql, "minute", Math.max(from, last === null ? 0 : last + HOUR_MS));
  }

  #rollUp(now: number): void {
    const { sql } = this.ctx.storage;
    const current = now - (now % HOUR_MS);
    for (const { ts, counts } of this.#minutesSinceLastHour(0)) {
      if (ts < current) addToRow(sql, "hour", ts - (ts % HOUR_MS), counts);
    }
    deleteBefore(sql, "minute", now - MINUTES_KEPT_MS);
    deleteBefore(sql, "hour", now - HOURS_KEPT_MS);
  }

  /** Sockets opened minus closed since this version was deployed: a deployment ends all connections without closing events. */
  async #withOpenSockets(counts: Counts): Promise<Counts> {
    const { storage } = this.ctx;
    const version = this.env.GIT_COMMIT_HASH ?? "";
    const before = await storage.get<{ version: string; open: number }>("sockets");
    const change = (counts.socketsOpened ?? 0) - (counts.socketsClosed ?? 0);
    const open = Math.max(0, (before?.version === version ? before.open : 0) + change);
    if (before?.version !== version || before.open !== open) await storage.put("sockets", { version, open });
    return { ...counts, socketsOpen: open };
  }

  /** Only one check runs at a time: others may add counts while the operator is being notified. */
  async #checkAlerts(now: number): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const lastTick = await this.#lastTick(now);
      await this.ctx.storage.put("lastLook", now);
      const input = { minutes: readRows(this.ctx.storage.sql, "minute", now - ALERT_WINDOW_MS), now, lastTick };
      const details = { "denied-route": listDeniedRoutes(input).join(", ") };
      let incidents = updateIncidents(await this.incidents(), findAlerts(input), now, details).filter(
        ({ until }) => until === null || until > now - INCIDENTS_KEPT_MS,
      );
      await this.ctx.storage.put("incidents", incidents);
      const unreported = listUnreported(incidents);
      if (unreported.length === 0 || !(await notifyOperator(this.env, unreported))) return;
      incidents = incidents.map((incident) => (unreported.includes(incident) ? markReported(incident) : incident));
      await this.ctx.storage.put("incidents", incidents);
    } finally {
      this.#isChecking = false;
    }
  }
}
