/** What the data of the first version becomes, by the files of migrations/ alone. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FixedValues, fillTables } from "@lambda/testing/filled-tables";
import { configuredWorker, type RunningHarness, startHarness } from "@lambda/testing/harness";
import { listMessageDatabases, messageSchema } from "@lambda/testing/message-databases";
import { quickHash } from "@lambda/testing/password";
import { makePng } from "@lambda/testing/png";
import { ROOT, wrangler } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BASE_MIGRATION, migrationsFor, readMigrations } from "./deploy/numbered-migrations.ts";
import { migrateLocally, prepareDatabase } from "./local-database.ts";

const MIGRATIONS = readMigrations(join(ROOT, "migrations"));
const BASE = readFileSync(join(ROOT, "migrations", BASE_MIGRATION), "utf8");
const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");
/** Of tables whose columns constrain each other. */
const FIXED: FixedValues = {
  "account.email": "filler@example.test",
  "age_request.ticket_hash": null,
  "travel_stay.country": "US",
  "known_picture.source": "staff",
  "known_picture.hash": "a".repeat(64),
  "message.recipient_id": 2,
  "message.high_id": 2,
  "message.sector": null,
  "message_pair.high_id": 2,
  "once_view.voice_id": null,
};
const PASSWORD = "correct horse battery";
const [ANA, BEN] = [11, 12];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Two members of the first version, with a picture and a conversation, beside a row in every table. */
function fillBase(database: DatabaseSync, now = Date.now()): string[] {
  const tables = fillTables(database, FIXED);
  for (const [id, name] of [
    [ANA, "Ana"],
    [BEN, "Ben"],
  ] as const) {
    database
      .prepare(
        "INSERT INTO account (id, email, password_hash, home_brand, acknowledgements, ts_created) VALUES (?, ?, ?, 'ember', 'cookies; adult; geolocation', ?)",
      )
      .run(id, `${name.toLowerCase()}@example.test`, quickHash(PASSWORD), now);
    database
      .prepare(
        "INSERT INTO profile (id, profile_name, birthdate, pics_public, shared_on, random_order, ts_seen, ts_updated) VALUES (?, ?, '1990-05-17', ?, 1, 7, ?, ?)",
      )
      .run(id, name, `[${id}]`, now, now);
    database
      .prepare(
        "INSERT INTO picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) VALUES (?, ?, 'public', 8, 8, 9, ?, ?)",
      )
      .run(id, id, now, now);
  }
  database
    .prepare(
      "INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created) VALUES (50, ?, ?, ?, ?, 'c', 'Written before the upgrade', 'ember', ?)",
    )
    .run(BEN, ANA, ANA, BEN, now - 60_000);
  return tables;
}

it.each(["main", "messages"] as const)(
  "rows in every table of the %s database survive all migrations, which produce schema.sql",
  async (kind) => {
    const file = join(folder, "database.sqlite");
    const database = new DatabaseSync(file);
    database.exec(kind === "main" ? BASE : messageSchema(BASE));
    const tables = kind === "main" ? fillBase(database) : fillTables(database, FIXED);
    expect(tables.length).toBeGreaterThan(kind === "main" ? 80 : 2);
    const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n);
    const before = new Map(tables.map((table) => [table, count(table)]));
    // A trigger empties this one at once.
    const empty = tables.filter((table) => before.get(table) === 0);
    expect(empty).toEqual(kind === "main" ? ["presence_count_update"] : []);
    const schema = kind === "main" ? SCHEMA : messageSchema(SCHEMA);
    expect(await migrateLocally(file, schema, migrationsFor(kind, MIGRATIONS))).toBeUndefined();
    const remaining = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const dropped = tables.filter((table) => !remaining.includes(table));
    expect(dropped).toEqual(kind === "main" ? ["kept_away_address", "audit_day"] : []);
    // Only what a migration says that it removes.
    const fewer = tables.filter((table) => remaining.includes(table) && count(table) < before.get(table)!);
    expect(fewer).toEqual(kind === "main" ? ["picture_decline"] : []);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
  },
);

it("npm start keeps the members of an older version, who log in, find each other, write, and show pictures", {
  timeout: 120_000,
}, async () => {
  const state = join(folder, "state");
  const base = join(folder, "base.sql");
  writeFileSync(base, BASE);
  const execute = (name: string, file: string) =>
    wrangler(["d1", "execute", name, "--local", "--yes", "--persist-to", state, "--file", file]);
  execute("lambda", base);
  writeFileSync(base, messageSchema(BASE));
  for (const { name } of listMessageDatabases(readWranglerConfig().d1_databases)) execute(name, base);
  const files = join(state, "v3/d1/miniflare-D1DatabaseObject");
  for (const name of readdirSync(files).filter((each) => each.endsWith(".sqlite") && each !== "metadata.sqlite")) {
    const database = new DatabaseSync(join(files, name));
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'account'").get()) fillBase(database);
    database.close();
  }
  await prepareDatabase(state);
  // The second start finds nothing to do.
  await prepareDatabase(state);
  expect(readdirSync(folder)).toEqual(["base.sql", "state"]);
  const site = await startHarness([configuredWorker()], { state });
  try {
    await walkMainPath(site);
  } finally {
    await site.close();
  }
});

async function walkMainPath(site: RunningHarness): Promise<void> {
  const [ana, ben] = [await logIn(site, "ana@example.test"), await logIn(site, "ben@example.test")];
  for (const [session, id] of [
    [ana, ANA],
    [ben, BEN],
  ] as const)
    expect(
      (
        await session(`/api/profile-position/${id}`, "PUT", {
          use: "OVERRIDE",
          precision: "street",
          overrideLat: 37.76,
          overrideLon: -122.43,
        })
      ).status,
    ).toBeLessThan(300);
  expect(await (await ana("/api/profile-briefs/nearest?page=0&size=10")).text()).toContain("Ben");
  expect(await (await ana(`/api/messages/between/${ANA}/${BEN}`)).text()).toContain("Written before the upgrade");
  const sent = await ana("/api/message", "POST", { recipientProfileId: BEN, bodyText: "Written after it" });
  expect(sent.status).toBeLessThan(300);
  const history = await (await ben(`/api/messages/between/${ANA}/${BEN}`)).text();
  expect(history).toMatch(/Written before[\s\S]*Written after|Written after[\s\S]*Written before/);
  const form = new FormData();
  form.set("authorProfileId", String(ANA));
  form.set("picfile", new File([Uint8Array.from(makePng(40, 50))], "a.png", { type: "image/png" }));
  form.set("picfilename", "a.png");
  const uploaded = await ana("/api/profile-pic", "POST", form);
  expect(uploaded.status, await uploaded.clone().text()).toBe(201);
  const { id } = (await uploaded.json()) as { id: number };
  expect((await ana(`/api/profile-pic/${id}?scale_x=256`)).status).toBe(200);
}

type Session = (path: string, method?: string, body?: FormData | object) => Promise<Response>;

async function logIn(site: RunningHarness, username: string): Promise<Session> {
  const origin = "http://ember.localhost";
  const send = (path: string, method: string, body: FormData | object | undefined, cookie: string) =>
    site.fetch(`${origin}${path}`, {
      method,
      headers: { origin, cookie, ...(body && !(body instanceof FormData) && { "content-type": "application/json" }) },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  const response = await send("/api/auth", "POST", { username, password: PASSWORD }, "");
  expect(response.status, await response.clone().text()).toBe(200);
  const cookie = /(?:__Host-|plain_)session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
  return (path, method = "GET", body) => send(path, method, body, cookie);
}
