import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addStatement,
  LIST_STATEMENT,
  type ListEntry,
  parseEntry,
  ROWS_PER_STATEMENT,
  readEntries,
  removeStatement,
} from "./entries.ts";

const HASH = "f8f8f0cee0f4a84f06370a22038f63f0b36e2ed596621e1d33e6b39c4e9c9b22";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hash-lists-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array): Promise<ListEntry[]> {
  const file = join(folder, "list.csv");
  writeFileSync(file, content);
  const entries: ListEntry[] = [];
  for await (const entry of readEntries(file)) entries.push(entry);
  return entries;
}

/** A hash in which, as in real ones, half of the bits are ones. */
function hashOf(number: number): string {
  const half = number.toString(16).padStart(32, "0");
  return half + [...half].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join("");
}

describe("readEntries", () => {
  it("parses hash, source and optional rule per line, in various formats", async () => {
    const lines = `\uFEFF# from the clearing house\r\n${HASH},one\r\n\r\n${HASH.toUpperCase()};Two 2026-11;intimate\r\n${HASH}\tone.b\tminor`;
    expect(await read(lines)).toEqual([
      { hash: HASH, source: "one", rule: "minor" },
      { hash: HASH, source: "Two 2026-11", rule: "intimate" },
      { hash: HASH, source: "one.b", rule: "minor" },
    ]);
  });

  it.each([
    ["a short hash", `${HASH.slice(1)},one`, "64 hexadecimal digits"],
    ["an invalid hash", `${"z".repeat(64)},one`, "64 hexadecimal digits"],
    ["no source", HASH, "must name the list"],
    ["a source that is SQL", `${HASH},x'); DROP TABLE account; --`, "must name the list"],
    ["an unknown rule", `${HASH},one,spam`, "must be one of"],
    ["too many fields", `${HASH},one,minor,100`, "more than three"],
    ["the hash of a plain picture", `${"0".repeat(60)}ffff,one`, "too plain"],
    ["a binary file", "\u0089PNG\u0000\u001a", "64 hexadecimal digits"],
    ["a line without end", "a".repeat(3_000_000), "64 hexadecimal digits"],
  ])("rejects %s and names the line", async (_, line, reason) => {
    const message = await read(`${HASH},one\n${line}\n${HASH},one`).catch((error: Error) => error.message);
    expect(message).toContain("line 2");
    expect(message).toContain(reason);
    expect(String(message).length).toBeLessThan(400);
  });
});

describe("statements", () => {
  it("add, count and remove many entries, within D1's size limit", async () => {
    const database = new DatabaseSync(":memory:");
    database.exec(readFileSync(join(ROOT, "schema.sql"), "utf8"));
    const entries = Array.from({ length: 2 * ROWS_PER_STATEMENT }, (_, number) =>
      parseEntry(`${hashOf(number + 1)},one`),
    );
    expect(entries.every((entry) => typeof entry === "object")).toBe(true);
    const chunks = [entries.slice(0, ROWS_PER_STATEMENT), entries.slice(ROWS_PER_STATEMENT)] as ListEntry[][];
    for (const chunk of [...chunks, ...chunks]) {
      const statement = addStatement(chunk, 1_800_000_000_000);
      expect(statement.length).toBeLessThan(100_000);
      database.exec(statement);
    }
    database.exec(
      "INSERT INTO known_picture (hash, source, rule, ts_created) SELECT hash, 'notice:1', rule, 1 FROM known_picture",
    );
    expect(database.prepare(LIST_STATEMENT).all()).toEqual([
      { source: "one", rule: "minor", entries: 800, waiting: 800 },
    ]);
    expect(database.prepare("SELECT count(*) AS parts FROM known_picture_part").get()).toEqual({ parts: 1600 * 16 });
    for (const chunk of chunks) database.exec(removeStatement(chunk));
    expect(database.prepare(LIST_STATEMENT).all()).toEqual([]);
    expect(database.prepare("SELECT count(*) AS parts FROM known_picture_part").get()).toEqual({ parts: 800 * 16 });
    database.close();
  });
});
