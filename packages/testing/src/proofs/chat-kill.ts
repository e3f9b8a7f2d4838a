/** Kills the server (SIGKILL) during writes, and checks that no acknowledged message is lost. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertMembers, insertSessions } from "../members.ts";
import { priorMessagesInDatabases, priorMessagesSql } from "../prior-messages.ts";
import { configuredMessageDatabases, createTables } from "../schema.ts";
import { freePort, type Site, startTestSite } from "../site.ts";
import type { Row, RunSql } from "../sql.ts";

export interface KillResult {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly kills: number;
}

const WRITERS = 6;

/**
 * @param kills how often the server is killed and restarted
 * @param databases number of message databases in addition to the main one, of those bound in wrangler.toml
 */
export async function runChatKill(kills: number, databases = 0): Promise<KillResult> {
  const state = mkdtempSync(join(tmpdir(), "kill-"));
  let site: Site | undefined;
  try {
    site = await startTestSite({ port: await freePort(), state });
    await createTables(runOn(site.port), configuredMessageDatabases());
    const cookies = await createWriters(site.port, databases);
    const acknowledged = new Map<string, number>();
    const unanswered = new Set<string>();
    for (let round = 0; round < kills; round += 1) {
      const writing = cookies.map((cookie, index) => write(site!.port, cookie, index, round, acknowledged, unanswered));
      const enough = acknowledged.size + 30;
      while (acknowledged.size < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      process.kill(-site.process.pid!, "SIGKILL");
      await Promise.all(writing);
      await site.stop();
      site = await startTestSite({ port: await freePort(), state });
    }
    const rows = await sqlInEach<{ client_id: string; id: number; n: number }>(
      site.port,
      databases,
      "select client_id, max(id) id, count(*) n from message group by sender_id, client_id",
    );
    const stored = new Map(rows.map((row) => [row.client_id, row]));
    for (const [clientId, id] of acknowledged) {
      const row = stored.get(clientId);
      if (!row || row.id !== id || row.n !== 1)
        throw new Error(`an acknowledged message was lost or doubled: ${clientId}`);
    }
    const torn = await sqlInEach<{ n: number }>(
      site.port,
      databases,
      `select count(*) n from message m where m.ts_sender_deleted is null and not exists (select 1 from conversation c
         where c.profile_id = m.recipient_id and c.other_id = m.sender_id and c.last_message_id >= m.id)`,
    );
    if (torn.some(({ n }) => n !== 0)) throw new Error("a batch was half written");
    if (databases > 0) await compareCopies(site.port, databases);
    return { acknowledged: acknowledged.size, unanswered: unanswered.size, kills };
  } finally {
    await site?.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Sends messages until the server is gone. */
async function write(
  port: number,
  cookie: string,
  index: number,
  round: number,
  acknowledged: Map<string, number>,
  unanswered: Set<string>,
): Promise<void> {
  for (let count = 0; count < 9; count += 1) {
    const clientId = `kill-${round}-${index}-${count}`.padEnd(12, "x");
    unanswered.add(clientId);
    try {
      const response = await call(port, cookie, {
        recipientProfileId: ((index + 1 + (count % 5)) % WRITERS) + 1,
        clientId,
      });
      if (response.status !== 201)
        throw new Error(`a send responded with ${response.status}: ${await response.text()}`);
      acknowledged.set(clientId, ((await response.json()) as { id: number }).id);
      unanswered.delete(clientId);
    } catch (error) {
      if (error instanceof TypeError || (error as Error).name === "AbortError") return; // The server is gone.
      throw error;
    }
  }
}

function call(
  port: number,
  cookie: string,
  message: { recipientProfileId: number; clientId: string },
): Promise<Response> {
  return fetch(`http://localhost:${port}/api/message`, {
    method: "POST",
    headers: {
      cookie,
      "x-development-quotas": "off",
      origin: `http://localhost:${port}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ ...message, bodyText: `words ${randomBytes(6).toString("base64url")}` }),
  });
}

/** Runs the cron job that copies conversations after a kill, and checks that the main database then matches the others. */
async function compareCopies(port: number, databases: number): Promise<void> {
  const response = await fetch(
    `http://localhost:${port}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`,
  );
  if (!response.ok) throw new Error(`the cron job responded with ${response.status}: ${await response.text()}`);
  const query = "select * from conversation order by profile_id, other_id";
  const copied = await sql<object>(port, query);
  const [, ...elsewhere] = await Promise.all(
    Array.from({ length: databases + 1 }, (_, database) => runSql(port, { query, database })),
  );
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  if (JSON.stringify(sorted(copied)) !== JSON.stringify(sorted(elsewhere.flat())))
    throw new Error("the main database differs from the others");
}

/** Queries the main database and the message databases, and concatenates their rows. */
async function sqlInEach<Found>(port: number, databases: number, query: string): Promise<Found[]> {
  const queries = Array.from({ length: databases + 1 }, (_, database) => runSql(port, { query, database }));
  return (await Promise.all(queries)).flat() as Found[];
}

async function createWriters(port: number, databases: number): Promise<string[]> {
  const run = runOn(port);
  const ids = Array.from({ length: WRITERS }, (_, index) => index + 1);
  await insertMembers(
    run,
    ids.map((id) => ({ id, name: `Writer ${id}`, randomOrder: id })),
  );
  await run(...(databases === 0 ? [{ query: priorMessagesSql(ids) }] : priorMessagesInDatabases(ids, databases)));
  return (await insertSessions(run, ids)).map((token) => `__Host-session=${token}`);
}

const runOn =
  (port: number): RunSql =>
  async (...batch) =>
    (await runSql(port, { batch })) as Row[][];

async function sql<Found>(port: number, query: string): Promise<Found[]> {
  return (await runSql(port, { query })) as Found[];
}

async function runSql(port: number, body: object): Promise<unknown[]> {
  const response = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as unknown[];
}
