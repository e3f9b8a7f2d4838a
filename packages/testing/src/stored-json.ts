/**
 * What the JSON columns of a database hold, against the one shape that each may have. Read as text, since a parser makes the same
 * number of `476` and `476.0`, and SQL that searches the text does not.
 */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AUDIENCES, HEALTH_FIELDS, VACCINES } from "@lambda/contract/health-fields";
import { FirstContact } from "@lambda/contract/messages";
import { NOTIFICATION_KINDS } from "@lambda/contract/notifications";
import { AuditBody } from "@lambda/contract/transparency";
import { z } from "zod";
import { ROOT } from "./site.ts";
import type { RunSql } from "./sql.ts";

const integer = z.number().int();
const id = integer.positive();
const time = z.iso.datetime();

const ids = z.array(id).refine((list) => new Set(list).size === list.length, "an id twice");
const playedItem = z.strictObject({
  picture: id.optional(),
  subject: id.optional(),
  version: integer,
  body: z.string().optional(),
  known: z.string().optional(),
  nsfw: z.boolean().optional(),
  brand: id,
  ts_drawn: integer,
});
const counts = z.record(z.string(), integer.nonnegative());

/** By table and column. A column of schema.sql that is missing here fails `jsonColumns`. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  "account.preferences": z.strictObject({
    firstContact: FirstContact.strict().optional(),
    phrases: z.array(z.string()).optional(),
    unwantedWords: z.array(z.string()).optional(),
    notificationsOff: z.array(z.enum(NOTIFICATION_KINDS)).optional(),
  }),
  "profile.pics_public": ids,
  "profile.own_pics_public": ids,
  "profile.own_pics_private": ids,
  "profile.pics_private": ids,
  "drawable_member.pics_public": ids,
  "presence.pics_public": ids,
  "presence_count.squares": z.record(z.string().regex(/^\d+:\d+$/), integer),
  "profile_note.private_tags": z.array(z.string().min(1)),
  "health_panel.vaccines": z.array(z.enum(VACCINES)),
  "health_panel.audiences": z.partialRecord(z.enum(HEALTH_FIELDS), z.enum(AUDIENCES)),
  "voice.peaks": z.array(integer),
  "profile_voice.peaks": z.array(integer),
  "message.picture_ids": ids,
  "message.attachment": z.union([
    z.strictObject({ type: z.literal("position"), lat: z.number(), lon: z.number(), exact: z.boolean() }),
    z.strictObject({ type: z.literal("album"), tsExpires: time.nullable() }),
    z.strictObject({
      type: z.literal("once"),
      kind: z.enum(["picture", "voice"]),
      tsExpires: time,
      tsOpened: time.nullable(),
    }),
    z.strictObject({ type: z.literal("voice"), voiceId: id, durationMs: integer, peaks: z.array(integer) }),
  ]),
  "evidence.body": z.record(z.string(), z.union([z.string(), integer, z.boolean()])),
  "audit_entry.body": AuditBody.strict(),
  "audit_private.details": z
    .object({ subjectId: id.nullable(), actorId: id.nullable() })
    .catchall(z.union([z.string(), z.number(), z.null()])),
  "public_entry.body": AuditBody.strict(),
  "audit_day.cases": z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  "game_item.tally": z.union([
    z.strictObject({}),
    z.strictObject({
      votes: integer,
      weights: z.record(z.string(), z.number().nonnegative()),
      groups: counts,
      aged: z.tuple([integer, integer]),
      tsFirst: integer.nullable(),
      tsLast: integer.nullable(),
    }),
  ]),
  "game_pack.items": z.record(z.string().regex(/^\d+$/), playedItem),
  "game_record.known": z.record(z.string(), z.tuple([integer, integer])),
  "game_record.answers": counts,
  "identify_round.options": ids,
};

interface JsonColumn {
  readonly table: string;
  readonly column: string;
}

/** Every column that schema.sql checks as JSON, and every copy of one under the same name. Throws when one has no shape here. */
export function jsonColumns(schema = readFileSync(`${ROOT}schema.sql`, "utf8")): JsonColumn[] {
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  const columns = db
    .prepare(
      `select t.name as "table", c.name as "column", t.sql from sqlite_master t, pragma_table_xinfo(t.name) c
      where t.type = 'table' and c.type = 'TEXT'`,
    )
    .all() as unknown as (JsonColumn & { readonly sql: string })[];
  db.close();
  const checked = columns.filter(({ column, sql }) => new RegExp(`json_valid\\(${column}\\)`).test(sql));
  const copied = new Set(checked.map(({ column }) => column).filter((column) => /_/.test(column)));
  const found = columns.filter((each) => checked.includes(each) || copied.has(each.column));
  const unknown = found.map(nameOf).filter((name) => !(name in SHAPES));
  if (unknown.length > 0) throw new Error(`no shape in stored-json.ts for ${unknown.join(", ")}`);
  return found.map(({ table, column }) => ({ table, column }));
}

/** What is wrong in the JSON columns of a database: one line for each value that has not its shape. */
export async function findStoredJsonFaults(run: RunSql): Promise<string[]> {
  const columns = jsonColumns();
  const answers = await run(
    ...columns.map(({ table, column }) => ({
      query: `select distinct ${column} as value from ${table} where ${column} is not null`,
    })),
  );
  return columns.flatMap((column, index) =>
    (answers[index] ?? []).flatMap(({ value }) => {
      const fault = faultOf(nameOf(column), String(value));
      return fault === undefined ? [] : [`${nameOf(column)}: ${String(value).slice(0, 200)}: ${fault}`];
    }),
  );
}

const nameOf = ({ table, column }: JsonColumn) => `${table}.${column}`;

/** Strings, which are passed over, and numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

function faultOf(name: string, text: string): string | undefined {
  // The rows of drawable_member that no picture belongs to.
  if (name === "drawable_member.pics_public" && text === "") return undefined;
  const spelled = (text.match(TOKENS) ?? []).find((token) => token[0] !== '"' && token !== String(Number(token)));
  if (spelled !== undefined) return `the number ${spelled} is not written as ${Number(spelled)}`;
  const parsed = SHAPES[name]?.safeParse(JSON.parse(text));
  return parsed?.error && z.prettifyError(parsed.error).replaceAll("\n", " ");
}
