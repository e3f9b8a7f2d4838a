import { readFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { describe, expect, it } from "vitest";
import { SCHEMA_TYPES_FILE, schemaTypes } from "./schema-types.ts";

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
/** The formatter breaks long unions over lines. */
const flat = (source: string) =>
  source
    .replace(/\s*\n\s*\|/g, " |")
    .replace(/:\s*\|\s*/g, ": ")
    .replace(/\s+/g, " ")
    .replace(/<\s*\|?\s*/g, "<")
    .replace(/\s+>/g, ">");

describe("row types", () => {
  it("are those of schema.sql: run `npm run schema-types` after a change of it", () => {
    expect(flat(read(SCHEMA_TYPES_FILE))).toBe(flat(schemaTypes(read("schema.sql"))));
  });

  it("know unions, defaults, computed columns and what may be null", () => {
    const types = schemaTypes(`CREATE TABLE one_thing (
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
