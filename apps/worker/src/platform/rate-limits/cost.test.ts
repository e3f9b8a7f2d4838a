import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DATABASE_BYTES_PER_DAY, databaseBytesOfDay, PICTURES_PER_DAY } from "@lambda/contract/cost";
import { expect, it } from "vitest";

const MB = 1_000_000;
const written = readFileSync(fileURLToPath(import.meta.resolve("../../../../../docs/SCALE.md")), "utf8");
const inWords = (bytes: number) => `${(bytes / MB).toFixed(2)} MB`;

it("one account adds at most 50 MB a day to the database, and a thousand free ones 5 GB", () => {
  expect(databaseBytesOfDay(1)).toBeLessThanOrEqual(50 * MB);
  expect(databaseBytesOfDay(1000)).toBeLessThanOrEqual(5000 * MB);
});

it.each(Object.entries({ ...DATABASE_BYTES_PER_DAY, total: databaseBytesOfDay(1) }))(
  "docs/SCALE.md says what comes of %s",
  (_, bytes) => {
    expect(written).toContain(inWords(bytes));
  },
);

it("docs/SCALE.md says what pictures cost", () => {
  expect(written).toContain(`${Math.round(PICTURES_PER_DAY.bytes / MB)} MB of pictures`);
  expect(written).toContain(`${PICTURES_PER_DAY.transformations} transformations`);
});
