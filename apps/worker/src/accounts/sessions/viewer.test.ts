import { DatabaseSync } from "node:sqlite";
import { createSqliteD1 } from "@lambda/testing/d1";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import type { ProfileRow } from "../../platform/db/tables.ts";
import { currentStatus, isCurrentlyActive } from "./viewer.ts";

const NOW = 1_000_000;

it.each<[status: ProfileRow["status"], until: number | null, active: boolean]>([
  ["active", null, true],
  ["active", NOW + 1, true],
  ["suspended", null, false],
  ["suspended", NOW + 1, false],
  ["suspended", NOW, true],
  ["suspended", NOW - 1, true],
  ["banned", null, false],
  ["banned", NOW - 1, false],
  ["deleted", null, false],
  ["deleted", NOW - 1, false],
])("decides the same in requests and in SQL: %s until %s", async (status, until, active) => {
  expect(currentStatus({ status, ts_status_until: until }, NOW) === "active").toBe(active);
  const db = openDatabase(createSqliteD1(new DatabaseSync(":memory:")));
  const { rows } = await sql<{ active: number }>`
    select ${isCurrentlyActive("p", NOW)} is true as active from (select ${status} as status, ${until} as ts_status_until) p`.execute(
    db,
  );
  expect(rows).toEqual([{ active: active ? 1 : 0 }]);
});
