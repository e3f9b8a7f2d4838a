/** A site of its own for one bench: fresh state in a temporary directory, members made in its database, calls over HTTP. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, freePort, startSite } from "@lambda/testing/site";
import { putBasemap } from "../../tooling/src/basemap/put.ts";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** On a connection of its own: what is not quite HTTP must not disturb the request after it. */
  readonly alone?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

export interface Statement {
  readonly query: string;
  readonly values?: readonly (string | number | null)[];
}

export interface OwnSite {
  readonly port: number;
  call(call: Call): Promise<Answered>;
  /** Runs statements as one transaction. */
  sql(...batch: Statement[]): Promise<Record<string, unknown>[][]>;
  /** The Cookie header of a fresh session of this member. */
  session(id: number): Promise<string>;
  log(): string;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** `basemap`: with the map's world, which nothing but a map needs. */
export async function openOwnSite({ basemap = false } = {}): Promise<OwnSite> {
  const state = mkdtempSync(join(tmpdir(), "bench-site-"));
  createDatabase(state);
  if (basemap) await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const origin = `http://localhost:${site.port}`;

  const call = ({ method = "GET", path, headers = {}, body, alone }: Call) =>
    new Promise<Answered>((resolve, reject) => {
      const sent = request(
        {
          agent: alone ? false : agent,
          host: "127.0.0.1",
          port: site.port,
          method,
          path,
          headers: { host: `localhost:${site.port}`, origin, "x-development-quotas": "off", ...headers },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.on("error", reject);
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString() }),
          );
        },
      );
      sent.on("upgrade", (answer, socket) => {
        socket.destroy();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: "" });
      });
      sent.on("error", reject);
      sent.end(body);
    });

  const sql = async (...batch: Statement[]) => {
    for (;;) {
      // This door takes no Origin, so that no page of a browser can use it.
      const answer = await fetch(`${origin}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text) as Record<string, unknown>[][];
      // The development server lost a connection between its own parts: the worker has not seen this.
      if (!text.startsWith("Error: Network connection lost.")) throw new Error(`${text}\n${site.log()}`);
    }
  };

  const session = async (id: number) => {
    const token = randomBytes(32).toString("base64url");
    const hash = createHash("sha256").update(token).digest("hex");
    const now = Date.now();
    await sql({
      query: `insert into session (token_hash, account_id, brand, device_label, remember, ts_created, ts_last_used, ts_expires)
        values (unhex(?), ?, 'ember', 'Bench', 1, ?, ?, ?)`,
      values: [hash, id, now, now, now + 30 * DAY_MS],
    });
    return `__Host-session=${token}`;
  };

  return {
    port: site.port,
    call,
    sql,
    session,
    log: site.log,
    close: async () => {
      agent.destroy();
      await site.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** The statements that make one named member on Ember. */
export function memberStatements(id: number, now: number, adminBrand: string | null = null): Statement[] {
  return [
    {
      query: "insert into account (id, email, home_brand, admin_brand, ts_created) values (?, ?, 'ember', ?, ?)",
      values: [id, `bench${id}@example.test`, adminBrand, now],
    },
    {
      query: `insert into profile (id, profile_name, birthdate, characteristics, shared_on, random_order, ts_seen, ts_updated)
        values (?, ?, '1990-05-17', 5, 1, ?, ?, ?)`,
      values: [id, `Member ${id}`, randomInt(2 ** 32), now - (now % 900_000), now],
    },
  ];
}
