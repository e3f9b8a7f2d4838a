/** Every statement that the position procedures send, by trying them all on a small town. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@lambda/worker/database";
import { rebuildDensity } from "@lambda/worker/density";
import { refreshSquares } from "@lambda/worker/games-near";
import { deleteExpiredPositions, publishPending } from "@lambda/worker/position-queries";
import { offset, PRODUCT, SimulatedTown } from "./simulated-town.ts";

export async function watchStatements(): Promise<{ schema: string; statements: Map<string, string> }> {
  const schema = readFileSync(fileURLToPath(import.meta.resolve("../../../../schema.sql")), "utf8");
  const town = await SimulatedTown.open(PRODUCT, 400);
  const statements = new Map<string, string>();
  const watch = async (label: string, act: () => Promise<unknown>) => {
    let count = 0;
    town.onStatement = (sql) => {
      count += 1;
      statements.set(`${label} ${count}`, sql);
    };
    await act();
    town.onStatement = undefined;
  };
  const observer = town.addAttacker();
  await watch("first report", () => town.report(observer, town.centre));
  await watch("moving report", () => town.report(observer, offset(town.centre, 3000, 0)));
  await watch("hiding", () => town.report(observer, offset(town.centre, 3000, 0), "OVERRIDE", { hide: true }));
  let cursor: string | undefined;
  await watch("nearest", async () => {
    cursor = (await town.as(observer).nearest({ size: 30 })).nextCursor;
  });
  await watch("nearest, page 2", () => town.as(observer).nearest({ size: 30, cursor }));
  await watch("nearest, filtered", () =>
    town.as(observer).nearest({ size: 30, ageMin: 30, hasPicture: true, onlineNow: true, characteristics: ["bear"] }),
  );
  const box = { latMin: 33.3, latMax: 33.6, lonMin: -112.3, lonMax: -111.9 };
  await watch("by bounds", () => town.as(observer).byBounds(box));
  await watch("by sector", () => town.as(observer).bySector({ lat: 33, lon: -113 }));
  await watch("aggregates", () => town.as(observer).aggregates({}));
  const db = openDatabase(town.d1);
  await watch("schedule: publish", () => publishPending(db, "key", town.now, async () => {}));
  await watch("schedule: density", () => rebuildDensity(town.d1));
  await watch("schedule: squares", () => refreshSquares(db, town.now));
  await watch("schedule: delete", () => deleteExpiredPositions(db, town.now, async () => {}));
  town.close();
  return { schema, statements };
}
