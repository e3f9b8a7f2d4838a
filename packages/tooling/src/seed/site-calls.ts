import { type SessionOptions, sessionStatement } from "@lambda/testing/members";
import type { Row, RunSql } from "@lambda/testing/sql";

/** Calls a running development site as any member and at any time, so that seeding simulates weeks in seconds. */

export interface Call {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  /** JSON, or a form with a file. */
  readonly body?: object;
}

export interface SiteCalls {
  /** Runs statements in one transaction, through the site's development SQL endpoint. */
  readonly run: RunSql;
  /** Calls the REST API as a member, at a simulated time. Throws unless the response is 2xx. */
  callAs<Result = unknown>(profileId: number, at: number, call: Call): Promise<Result>;
  /** Runs a cron expression of wrangler.toml. */
  runCron(cron: string, at: number): Promise<void>;
}

const HEADERS = { "x-development-quotas": "off" };

/** `sessions` are the tokens of the members who will call, by their ids. */
export function createSiteCalls(base: string, sessions: ReadonlyMap<number, string>): SiteCalls {
  return {
    run: (...batch) => runSqlOn(base, ...batch),
    callAs: async <Result>(profileId: number, at: number, { method, path, body }: Call) => {
      const form = body instanceof FormData;
      const response = await fetch(base + path, {
        method,
        headers: {
          ...HEADERS,
          "x-development-now": String(at),
          cookie: `__Host-session=${sessions.get(profileId)}`,
          origin: base,
          // Each member gets its own IP address, because rate limits are per address.
          "cf-connecting-ip": `10.1.${profileId >> 8}.${profileId & 255}`,
          ...(body !== undefined && !form && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} as ${profileId} responded with ${response.status}: ${text}`);
      return (text === "" ? undefined : JSON.parse(text)) as Result;
    },
    runCron: async (cron, at) => {
      const response = await fetch(`${base}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}&time=${at}`);
      if (!response.ok) throw new Error(`the cron job ${cron} failed: ${await response.text()}`);
    },
  };
}

/** Creates a session for each member. All have the same device name, by which they are deleted later. */
export async function createSessions(
  base: string,
  ids: readonly number[],
  options: SessionOptions,
): Promise<ReadonlyMap<number, string>> {
  const sessions = ids.map((id) => ({ id, ...sessionStatement(id, options) }));
  await runSqlOn(base, ...sessions.map(({ statement }) => statement));
  return new Map(sessions.map(({ id, token }) => [id, token]));
}

export async function deleteSessions(base: string, device: string): Promise<void> {
  await runSqlOn(base, { query: "delete from session where device_label = ?", values: [device] });
}

export const runSqlOn = async (base: string, ...batch: Parameters<RunSql>): Promise<Row[][]> => {
  const response = await fetch(`${base}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Row[][];
};
