/** No statement of searches, position reports and scheduled jobs scans a table. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@lambda/worker/database";
import { rebuildDensity } from "@lambda/worker/density";
import type { Env } from "@lambda/worker/env";
import { refreshSquares } from "@lambda/worker/games-nearby-players";
import { deleteExpiredPositions, publishPending } from "@lambda/worker/position-queries";
import { expect, it } from "vitest";
import { offset, PRODUCT, SimulatedTown } from "./privacy/simulated-town.ts";

/** Calls every position procedure on a small town, and collects its statements. */
async function collectStatements(): Promise<{ schema: string; statements: Map<string, string> }> {
  const schema = readFileSync(fileURLToPath(import.meta.resolve("../../../schema.sql")), "utf8");
  const town = await SimulatedTown.open(PRODUCT, 400);
  const statements = new Map<string, string>();
  const record = async (label: string, act: () => Promise<unknown>) => {
    let count = 0;
    town.onStatement = (sql) => {
      count += 1;
      statements.set(`${label} ${count}`, sql);
    };
    await act();
    town.onStatement = undefined;
  };
  const observer = await town.addAccount();
  await record("first report", () => town.report(observer, town.center));
  await record("moving report", () => town.report(observer, offset(town.center, 3000, 0)));
  await record("hiding", () => town.report(observer, offset(town.center, 3000, 0), "OVERRIDE", { hide: true }));
  let cursor: string | undefined;
  await record("nearest", async () => {
    cursor = (await town.as(observer).nearest({ size: 30 })).nextCursor;
  });
  await record("nearest, page 2", () => town.as(observer).nearest({ size: 30, cursor }));
  await record("nearest, filtered", () =>
    town.as(observer).nearest({ size: 30, ageMin: 30, hasPicture: true, onlineNow: true, characteristics: ["bear"] }),
  );
  const box = { latMin: 33.3, latMax: 33.6, lonMin: -112.3, lonMax: -111.9 };
  await record("by bounds", () => town.as(observer).byBounds(box));
  await record("by sector", () => town.as(observer).bySector({ lat: 33, lon: -113 }));
  await record("aggregates", () => town.as(observer).aggregates({}));
  const db = openDatabase(town.d1);
  await record("schedule: publish", () =>
    publishPending(db, { SITE_KEY: "a key of the benchmark" } as Env, town.now, async () => {}),
  );
  await record("schedule: density", () => rebuildDensity(town.d1));
  await record("schedule: squares", () => refreshSquares(db, town.now));
  await record("schedule: delete", () => deleteExpiredPositions(db, town.now, async () => {}));
  town.close();
  return { schema, statements };
}

/** Scans of constants, intermediate rows and json_each do not count. */
const SCAN = /^SCAN (?!(?:\d+|CONSTANT|span|first|shown|square|probe|taken|looked|j|bit|json_each|\(.*)(?:\s|$))/;

it("positions are searched, reported and deleted without scanning a table", async () => {
  const { schema, statements } = await collectStatements();
  expect(statements.size).toBeGreaterThan(12);
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  const scans = [...statements].flatMap(([label, sql]) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return plan.filter(({ detail }) => SCAN.test(detail)).map(({ detail }) => `${label}: ${detail}`);
  });
  db.close();
  expect(scans).toEqual([]);
});
