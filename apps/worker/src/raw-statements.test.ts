import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL(".", import.meta.url).href);
/** A whole statement as text, in a template of kysely or a plain string; parts of queries begin otherwise. */
const WHOLE = /(?:`|"(?!.*?"\s*[,\]}]))\s*(?:select|insert into|replace into|update|delete from|with)\s/gi;
/** Where statements may stand whole, with the cost that asks for it: docs/SQL.md. */
const PLACE = /(^|\/)statements(\.ts$|\/)/;
const FLOORS = ["platform", "members", "places", "social", "community", "moderation", "data-rights"];

function countWhole(floor: string): Map<string, number> {
  const files = (readdirSync(SOURCE + floor, { recursive: true }) as string[])
    .map((file) => `${floor}/${file}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !PLACE.test(file));
  const counts = files.map((file) => [file, readFileSync(SOURCE + file, "utf8").match(WHOLE)?.length ?? 0] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

it.each(FLOORS)("%s has no raw statement outside of its place", (floor) => {
  expect(Object.fromEntries(countWhole(floor))).toEqual({});
});

it("leaves no floor out", () => {
  const folders = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...FLOORS].sort());
});

it("finds raw statements, typed or not, in templates and strings", () => {
  const raw = ["sql`select 1`", "sql<{ id: number }>`\n  update message set a = 1`", '"DELETE FROM a WHERE b = 1"'];
  for (const text of raw) expect(text.match(WHOLE), text).toHaveLength(1);
  for (const text of ["sql<boolean>`exists (select 1 from a)`", "sql`(select count(*) from a)`", '"select"']) {
    expect(text.match(WHOLE), text).toBeNull();
  }
});
