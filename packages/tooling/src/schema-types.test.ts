import { describe, expect, it } from "vitest";
import { generateSchemaTypes } from "./schema-types.ts";

describe("row types", () => {
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
