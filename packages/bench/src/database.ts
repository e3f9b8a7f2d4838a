/** A D1 database under workerd, filled by writing its file while workerd is stopped, which takes seconds for a million members. */
import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { DAY_MS, POSITION_EFFECTIVE_MS } from "@lambda/contract/limits";
import { createD1 } from "@lambda/testing/d1";
import { memberInserter } from "@lambda/testing/members";
import type { Row } from "@lambda/testing/sql";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import type { BenchMember } from "./population.ts";

const SCHEMA = fileURLToPath(import.meta.resolve("../../../schema.sql"));

/** Runs statements inside workerd, because calls through miniflare's proxy take ten times as long. */
const WORKER = `export default {
  async fetch(request, env) {
    const statements = await request.json();
    const prepared = statements.map(({ query, values }) => env.DB.prepare(query).bind(...values));
    try {
      return Response.json(prepared.length === 1 ? [await prepared[0].all()] : await env.DB.batch(prepared));
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  }
}`;

function start(directory: string): Miniflare {
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: WORKER,
      compatibilityDate: "2026-10-01",
      d1Databases: { DB: "bench" },
      resourcePersistencePath: directory,
    }),
  );
}

/** Opens a database in its own temporary directory, which is deleted with it. */
export async function openBenchDatabase(members: Iterable<BenchMember>, now: number) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "bench-d1-"));
  const directory = folder.path;
  const first = start(directory);
  await (await first.getD1Database("DB")).prepare("select 1").run();
  await first.dispose();
  const name = readdirSync(directory, { recursive: true, encoding: "utf8" }).find(
    (path) => path.endsWith(".sqlite") && !path.includes("metadata"),
  );
  if (!name) throw new Error("no database file");
  const file = join(directory, name);
  fillDatabase(file, members, now);
  const miniflare = start(directory);
  await miniflare.ready;
  return {
    d1: createD1(async (statements) => {
      const send = () => miniflare.dispatchFetch("http://bench", { method: "POST", body: JSON.stringify(statements) });
      // On an overloaded machine a keep-alive connection may be closed during the request, so retry once.
      const response = await send().catch(send);
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as D1Result<Row>[];
    }),
    [Symbol.asyncDispose]: async () => {
      await miniflare.dispose();
      folder.remove();
    },
  };
}

/** Fills a database with members who are all on one brand, the worst case. Triggers are dropped during loading and recreated. */
export function fillDatabase(file: string, members: Iterable<BenchMember>, now: number): void {
  const db = new DatabaseSync(file);
  const schema = readFileSync(SCHEMA, "utf8");
  db.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;");
  db.exec(schema);
  const triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as { name: string }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec("BEGIN");
  const insertMember = memberInserter(db);
  const position =
    db.prepare(`INSERT INTO position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
    VALUES (?, 'DEVICE_GPS', 'street', ?, ?, ?, ?)`);
  for (const member of members) {
    const { id } = member;
    insertMember({
      id,
      birthdate: new Date(member.birthDay * DAY_MS).toISOString().slice(0, 10),
      characteristics: member.characteristics,
      pictures: member.hasPicture ? [id] : [],
      randomOrder: member.randomOrder,
      height: "180 cm",
      weight: "80 kg",
      created: now,
    });
    position.run(id, member.cell, member.key, now, now + POSITION_EFFECTIVE_MS);
  }
  db.exec(`INSERT INTO presence
    SELECT 1, s.key, p.id, p.random_order, s.ts_effective_until, p.ts_seen, p.characteristics,
      CAST(julianday(p.birthdate) - 2440587.5 AS INTEGER), p.profile_name, p.height, p.weight, p.pics_public
    FROM position s JOIN profile p ON p.id = s.profile_id ORDER BY s.key, s.profile_id`);
  db.exec(`INSERT INTO presence_count
    SELECT square >> 10, json_group_object('1:' || square, n)
    FROM (SELECT key >> 34 AS square, count(*) AS n FROM presence GROUP BY 1)
    GROUP BY 1`);
  db.exec(`INSERT INTO drawable_member SELECT 1, bit.value, p.random_order, p.id, iif(bit.value = 1, p.pics_public, '') FROM profile p, bit
    WHERE p.listed_on & 1 AND p.drawn_as & bit.value`);
  db.exec("COMMIT");
  db.exec(schema);
  db.close();
}
