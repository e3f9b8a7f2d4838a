/** A separate site for one bench: fresh state in a temporary directory, members created in its database, calls over HTTP. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertSession } from "@lambda/testing/members";
import { configuredMessageDatabases, createTables } from "@lambda/testing/schema";
import { freePort, startSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";
import { putBasemap } from "../../tooling/src/basemap/put.ts";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Uses a separate connection, so that invalid HTTP does not disturb later requests. */
  readonly ownConnection?: boolean;
}

export interface SiteResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

export interface OwnSite {
  readonly port: number;
  call(call: Call): Promise<SiteResponse>;
  /** Runs statements in one transaction. */
  readonly sql: RunSql;
  /** Creates a session of a member, and returns its Cookie header. */
  session(id: number): Promise<string>;
  log(): string;
  close(): Promise<void>;
}

/** `basemap`: with the world basemap, which only the map needs. */
export async function openOwnSite({ basemap = false } = {}): Promise<OwnSite> {
  const state = mkdtempSync(join(tmpdir(), "bench-site-"));
  if (basemap) await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const origin = `http://localhost:${site.port}`;

  const call = ({ method = "GET", path, headers = {}, body, ownConnection }: Call) =>
    new Promise<SiteResponse>((resolve, reject) => {
      const sent = request(
        {
          agent: ownConnection ? false : agent,
          host: "127.0.0.1",
          port: site.port,
          method,
          path,
          headers: { host: `localhost:${site.port}`, origin, "x-development-quotas": "off", ...headers },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      sent.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: "" });
      });
      sent.on("error", reject);
      sent.end(body);
    });

  const sql: RunSql = async (...batch) => {
    for (;;) {
      // The endpoint rejects requests with an Origin header, so that browser pages cannot use it.
      const response = await fetch(`${origin}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as Row[][];
      // The development server lost an internal connection before the worker received the request.
      if (!text.startsWith("Error: Network connection lost.")) throw new Error(`${text}\n${site.log()}`);
    }
  };

  const session = async (id: number) => `__Host-session=${await insertSession(sql, id, { device: "Bench" })}`;

  await createTables(sql, configuredMessageDatabases());
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
