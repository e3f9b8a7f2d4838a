/** The server is killed (SIGKILL) in the middle of writing, and nothing that it acknowledged is lost. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquaintedElsewhere, acquaintedSql } from "@lambda/testing/acquaint";
import { createMembers, createSessions } from "@lambda/testing/members";
import { createDatabase, freePort, type Site, startSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";

export interface KillResult {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly kills: number;
}

const WRITERS = 6;

/**
 * @param kills how often the server is killed and started again
 * @param databases that the messages are in, beside the main one; of those that wrangler.toml binds
 */
export async function runChatKill(kills: number, databases = 0): Promise<KillResult> {
  const state = mkdtempSync(join(tmpdir(), "kill-"));
  let site: Site | undefined;
  try {
    createDatabase(state);
    site = await startSite({ port: await freePort(), state });
    const cookies = await makeWriters(site.port, databases);
    const acknowledged = new Map<string, number>();
    const unanswered = new Set<string>();
    for (let round = 0; round < kills; round += 1) {
      const writing = cookies.map((cookie, index) => write(site!.port, cookie, index, round, acknowledged, unanswered));
      const enough = acknowledged.size + 30;
      while (acknowledged.size < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      process.kill(-site.process.pid!, "SIGKILL");
      await Promise.all(writing);
      await site.stop();
      site = await startSite({ port: await freePort(), state });
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

/** Writes until the server is gone. */
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
      const answer = await call(port, cookie, {
        recipientProfileId: ((index + 1 + (count % 5)) % WRITERS) + 1,
        clientId,
      });
      if (answer.status !== 201) throw new Error(`a send was answered ${answer.status}: ${await answer.text()}`);
      acknowledged.set(clientId, ((await answer.json()) as { id: number }).id);
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

/** What a kill left between two databases is copied by the schedule; then the main one has what each of the others says. */
async function compareCopies(port: number, databases: number): Promise<void> {
  const ran = await fetch(`http://localhost:${port}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`);
  if (!ran.ok) throw new Error(`the schedule was answered ${ran.status}: ${await ran.text()}`);
  const query = "select * from conversation order by profile_id, other_id";
  const copied = await sql<object>(port, query);
  const [, ...elsewhere] = await Promise.all(
    Array.from({ length: databases + 1 }, (_, database) => ask(port, { query, database })),
  );
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  if (JSON.stringify(sorted(copied)) !== JSON.stringify(sorted(elsewhere.flat())))
    throw new Error("the main database has not what the others say");
}

/** Rows of the main database and of so many others. */
async function sqlInEach<Found>(port: number, databases: number, query: string): Promise<Found[]> {
  const asked = Array.from({ length: databases + 1 }, (_, database) => ask(port, { query, database }));
  return (await Promise.all(asked)).flat() as Found[];
}

async function makeWriters(port: number, databases: number): Promise<string[]> {
  const run: RunSql = async (...batch) => (await ask(port, { batch })) as Row[][];
  const ids = Array.from({ length: WRITERS }, (_, index) => index + 1);
  await createMembers(
    run,
    ids.map((id) => ({ id, name: `Writer ${id}`, randomOrder: id })),
  );
  await run(...(databases === 0 ? [{ query: acquaintedSql(ids) }] : acquaintedElsewhere(ids, databases)));
  return (await createSessions(run, ids)).map((token) => `__Host-session=${token}`);
}

async function sql<Found>(port: number, query: string): Promise<Found[]> {
  return (await ask(port, { query })) as Found[];
}

async function ask(port: number, body: object): Promise<unknown[]> {
  const answer = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as unknown[];
}
