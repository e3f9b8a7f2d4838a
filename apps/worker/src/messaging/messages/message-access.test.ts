import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url).href);
/** Matches raw SQL and Kysely calls. `message_picture` and the like are other tables. */
const MESSAGE_QUERY =
  /\b(from|join|into|update)\s+message\b|(From|Into|Table|Join|indexedBy)\(\s*["']message(\s+as\s+\w+)?["']/i;
/** message-databases.ts generates ids from the table, access.ts joins broadcasts to picture rights, and store.ts looks up a recording by its own id. */
const EXCEPTIONS = ["messaging/voices/store.ts", "pictures/access.ts", "platform/db/message-databases.ts"];

/** Messages may be in other databases, so the code that queries them has to stay in one place. */
it("queries the message table only in this folder", () => {
  const files = (readdirSync(SOURCE, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("messaging/messages/"))
    .filter((file) => MESSAGE_QUERY.test(readFileSync(SOURCE + file, "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "")));
  expect(files.sort()).toEqual(EXCEPTIONS);
});

it("recognizes queries of the message table", () => {
  for (const text of [
    "select 1 from message m",
    '.selectFrom("message as m")',
    '.innerJoin("message as last", "last.id"',
  ])
    expect(text).toMatch(MESSAGE_QUERY);
  for (const text of ["from message_picture mp", '.selectFrom("messages")', '.select(["name", "message", "brand"])'])
    expect(text).not.toMatch(MESSAGE_QUERY);
});
