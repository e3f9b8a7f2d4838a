import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GB, microdollarsOf } from "@lambda/contract/prices";
import {
  DATABASE_BYTES_PER_DAY,
  databaseBytesPerDay,
  dollarsPerDay,
  floodedNoticesPerDay,
  NOTICE_BYTES,
  PICTURES_PER_DAY,
  sumOf,
} from "@lambda/testing/cost";
import { expect, it } from "vitest";

const MB = 1_000_000;
const documentation = readFileSync(fileURLToPath(import.meta.resolve("../../../../../docs/SCALE.md")), "utf8");
const inMegabytes = (bytes: number) => `${(bytes / MB).toFixed(2)} MB`;

it("lets one account add at most 50 MB a day to the database, and a thousand accounts 5 GB", () => {
  expect(databaseBytesPerDay(1)).toBeLessThanOrEqual(50 * MB);
  expect(databaseBytesPerDay(1000)).toBeLessThanOrEqual(5000 * MB);
});

it.each(Object.entries({ ...DATABASE_BYTES_PER_DAY, total: databaseBytesPerDay(1) }))(
  "documents %s in docs/SCALE.md",
  (_, bytes) => {
    expect(documentation).toContain(inMegabytes(bytes));
  },
);

it("bounds what floods of notices store and mail in a day, and documents it", () => {
  const notices = floodedNoticesPerDay();
  expect(notices * NOTICE_BYTES).toBeLessThanOrEqual(GB);
  expect(documentation).toContain(`${notices.toLocaleString("en")} notices`);
  expect(documentation).toContain(`${((notices * NOTICE_BYTES) / GB).toFixed(2)} GB`);
  expect(documentation).toContain(`$${(microdollarsOf("mails", notices) / 1e6).toFixed(2)} of mails`);
});

it("documents the cost of pictures in docs/SCALE.md", () => {
  expect(documentation).toContain(`${Math.round(PICTURES_PER_DAY.bytes / MB)} MB of pictures`);
  expect(documentation).toContain(`${PICTURES_PER_DAY.transformations} transformations`);
});

it.each([
  ["new", true],
  ["old", false],
])("lets a thousand %s accounts cost at most 20 dollars a day, and documents each part", (_, areNew) => {
  const parts = dollarsPerDay(1000, { areNew });
  expect(sumOf(parts)).toBeLessThanOrEqual(20);
  for (const dollars of [...Object.values(parts), sumOf(parts)])
    expect(documentation).toContain(`$${dollars.toFixed(2)}`);
});
