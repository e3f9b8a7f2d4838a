import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url).href);
/** SQL and kysely alike. `message_picture` and others are tables of their own. */
const ASKS =
  /\b(from|join|into|update)\s+message\b|(From|Into|Table|Join|indexedBy)\(\s*["']message(\s+as\s+\w+)?["']/i;
/** Ids are made in the table; posts of the map chat stay beside their pictures' rights; a recording is asked for by its own id. */
const ALSO = ["platform/db/shards.ts", "social/pictures/access.ts", "social/voices/store.ts"];

/** Messages have databases of their own, so that whatever reads or writes them must be known. */
it("asks for messages in one folder", () => {
  const asking = (readdirSync(SOURCE, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("social/messages/"))
    .filter((file) => ASKS.test(readFileSync(SOURCE + file, "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "")));
  expect(asking.sort()).toEqual(ALSO);
});

it("knows a question for messages when it sees one", () => {
  for (const text of [
    "select 1 from message m",
    '.selectFrom("message as m")',
    '.innerJoin("message as last", "last.id"',
  ])
    expect(text).toMatch(ASKS);
  for (const text of ["from message_picture mp", '.selectFrom("messages")', '.select(["name", "message", "brand"])'])
    expect(text).not.toMatch(ASKS);
});
