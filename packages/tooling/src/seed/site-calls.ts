import { type SessionOptions, sessionStatement } from "@lambda/testing/members";
import type { Row, RunSql } from "@lambda/testing/sql";

/** Calls of a running development site as any of its members, at any time: the seed plays in seconds what took weeks. */

export interface Call {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  /** JSON, or a form with a file. */
  readonly body?: object;
}

export interface SiteCalls {
  /** Statements as one transaction, by the site's development door. */
  readonly run: RunSql;
  /** A call of the product's REST as a member, at a time of the site's clock. Throws unless it is answered 2xx. */
  as<Answer = unknown>(profileId: number, at: number, call: Call): Promise<Answer>;
  /** Runs a cron expression of wrangler.toml. */
  schedule(cron: string, at: number): Promise<void>;
}

const HEADERS = { "x-development-quotas": "off" };

/** `sessions` are the tokens of the members who will call, by their ids. */
export function callSite(base: string, sessions: ReadonlyMap<number, string>): SiteCalls {
  return {
    run: (...batch) => runOn(base, ...batch),
    as: async <Answer>(profileId: number, at: number, { method, path, body }: Call) => {
      const form = body instanceof FormData;
      const answer = await fetch(base + path, {
        method,
        headers: {
          ...HEADERS,
          "x-development-now": String(at),
          cookie: `__Host-session=${sessions.get(profileId)}`,
          origin: base,
          // Each member has a network, as the caps of one are shared.
          "cf-connecting-ip": `10.1.${profileId >> 8}.${profileId & 255}`,
          ...(body !== undefined && !form && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} as ${profileId} answered ${answer.status}: ${text}`);
      return (text === "" ? undefined : JSON.parse(text)) as Answer;
    },
    schedule: async (cron, at) => {
      const answer = await fetch(`${base}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}&time=${at}`);
      if (!answer.ok) throw new Error(`the schedule ${cron} did not run: ${await answer.text()}`);
    },
  };
}

/** Gives each of some members a session. All carry the device's name, by which they are ended again. */
export async function beginSessions(
  base: string,
  ids: readonly number[],
  options: SessionOptions,
): Promise<ReadonlyMap<number, string>> {
  const sessions = ids.map((id) => ({ id, ...sessionStatement(id, options) }));
  await runOn(base, ...sessions.map(({ statement }) => statement));
  return new Map(sessions.map(({ id, token }) => [id, token]));
}

export async function endSessions(base: string, device: string): Promise<void> {
  await runOn(base, { query: "delete from session where device_label = ?", values: [device] });
}

export const runOn = async (base: string, ...batch: Parameters<RunSql>): Promise<Row[][]> => {
  const answer = await fetch(`${base}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Row[][];
};
