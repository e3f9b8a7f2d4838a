import { readFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { describe, expect, it } from "vitest";
import { generateSchemaTypes, SCHEMA_TYPES_FILE } from "./schema-types.ts";

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
/** Undoes the formatter's line breaks in long unions. */
const flatten = (source: string) =>
  source
    .replace(/\s*\n\s*\|/g, " |")
    .replace(/:\s*\|\s*/g, ": ")
    .replace(/\s+/g, " ")
    .replace(/<\s*\|?\s*/g, "<")
    .replace(/\s+>/g, ">");

describe("row types", () => {
  it("match schema.sql (run `npm run schema-types` after changing it)", () => {
    expect(flatten(read(SCHEMA_TYPES_FILE))).toBe(flatten(generateSchemaTypes(read("schema.sql"))));
  });

  it("support unions, defaults, generated columns and nullable columns", () => {
    const types = generateSchemaTypes(`CREATE TABLE one_thing (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK (kind IN ('a', 'b')), on_off INTEGER NOT NULL DEFAULT 0 CHECK (on_off IN (0, 1)),
      picture BLOB, twice INTEGER GENERATED ALWAYS AS (on_off * 2) STORED) STRICT`);
    expect(types).toContain(
      [
        "export interface OneThingTable {",
        "  id: Generated<number>;",
        '  kind: "a" | "b";',
        "  on_off: Generated<0 | 1>;",
        "  picture: Uint8Array | null;",
        "  twice: ColumnType<number, never, never>;",
        "}",
      ].join("\n"),
    );
  });
});
