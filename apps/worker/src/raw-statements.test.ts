import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL(".", import.meta.url).href);
/** A complete SQL statement in a kysely template or a plain string; fragments start differently. */
const STATEMENT = /(?:`|"(?!.*?"\s*[,\]}]))\s*(?:select|insert into|replace into|update|delete from|with)\s/gi;
/** The only files that may contain complete statements (docs/SQL.md). */
const STATEMENT_FILES = /(^|\/)statements(\.ts$|\/)/;
const LAYERS = readdirSync(SOURCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function countStatements(layer: string): Map<string, number> {
  const files = (readdirSync(SOURCE + layer, { recursive: true }) as string[])
    .map((file) => `${layer}/${file}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !STATEMENT_FILES.test(file));
  const counts = files.map(
    (file) => [file, readFileSync(SOURCE + file, "utf8").match(STATEMENT)?.length ?? 0] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

it.each(LAYERS)("%s has raw statements only in statements files", (layer) => {
  expect(Object.fromEntries(countStatements(layer))).toEqual({});
});

it("detects raw statements, typed or not, in templates and strings", () => {
  const raw = ["sql`select 1`", "sql<{ id: number }>`\n  update message set a = 1`", '"DELETE FROM a WHERE b = 1"'];
  for (const text of raw) expect(text.match(STATEMENT), text).toHaveLength(1);
  for (const text of ["sql<boolean>`exists (select 1 from a)`", "sql`(select count(*) from a)`", '"select"']) {
    expect(text.match(STATEMENT), text).toBeNull();
  }
});
