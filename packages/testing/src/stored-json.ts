/**
 * Checks the JSON columns of a database against the one schema that each may have. The spelling of numbers counts too,
 * because SQL searches the text: it does not match `476.0` with `476`.
 */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AUDIENCES, HEALTH_FIELDS, VACCINES } from "@lambda/contract/health-fields";
import { FirstContact } from "@lambda/contract/messages";
import { NotificationKind } from "@lambda/contract/notifications";
import { PersonCheckPose } from "@lambda/contract/person-check";
import { AuditBody } from "@lambda/contract/transparency";
import { z } from "zod";
import { ROOT } from "./site.ts";
import type { RunSql } from "./sql.ts";

const integer = z.number().int();
const id = integer.positive();
const time = z.iso.datetime();

const ids = z.array(id).refine((list) => new Set(list).size === list.length, "a duplicate id");
const counts = z.record(z.string(), integer.nonnegative());
const playedItem = z.strictObject({
  picture: id.optional(),
  subject: id.optional(),
  version: integer,
  body: z.string().optional(),
  known: z.string().optional(),
  pairs: z.array(z.tuple([id, id])).optional(),
  pose: PersonCheckPose.optional(),
  shown: integer.optional(),
  reads: counts.optional(),
  checked: id.optional(),
  nsfw: z.boolean().optional(),
  brand: id,
  ts_drawn: integer,
});

/** By `table.column`. `listJsonColumns` throws if a JSON column of schema.sql is missing here. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  "account.preferences": z.strictObject({
    firstContact: FirstContact.strict().optional(),
    phrases: z.array(z.string()).optional(),
    unwantedWords: z.array(z.string()).optional(),
    notificationsOff: z.array(z.enum(NotificationKind.options)).optional(),
  }),
  "profile.pics_public": ids,
  "profile.own_pics_public": ids,
  "profile.own_pics_private": ids,
  "profile.pics_private": ids,
  "drawable_member.pics_public": ids,
  "presence.pics_public": ids,
  "presence_count.squares": z.record(z.string().regex(/^\d+:\d+$/), integer),
  "met.pictures": z.array(z.string().regex(/^\d+\.\d+$/)),
  "profile_note.private_tags": z.array(z.string().min(1)),
  "health_panel.vaccines": z.array(z.enum(VACCINES)),
  "health_panel.audiences": z.partialRecord(z.enum(HEALTH_FIELDS), z.enum(AUDIENCES)),
  "disclosure.former": z.union([
    z.strictObject({
      country: z.string(),
      shown: z.literal("city").optional(),
      withdrawn: z.literal(1).optional(),
      muted: z.literal(1).optional(),
    }),
    FirstContact.partial().strict(),
    z.partialRecord(z.enum(HEALTH_FIELDS), z.enum(AUDIENCES)),
  ]),
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
  "protective_act.detail": z.union([
    integer,
    z.record(
      z.string(),
      z.union([z.string(), integer, z.null(), z.record(z.string(), z.union([z.string(), integer]))]),
    ),
  ]),
  "evidence.body": z.record(z.string(), z.union([z.string(), integer, z.boolean()])),
  "audit_entry.body": AuditBody.strict(),
  "audit_private.details": z
    .object({ subjectId: id.nullable(), actorId: id.nullable() })
    .catchall(z.union([z.string(), z.number(), z.null()])),
  "public_entry.body": AuditBody.strict(),
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
  "person_check.pose": z.union([z.strictObject({}), PersonCheckPose.strict()]),
  "person_check.stills": ids,
  "person_check.compared": z.array(z.string().regex(/^\d+:\d+$/)),
};

interface JsonColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Lists every column that schema.sql checks with json_valid, and every column of the same name. Throws if one has no
 * schema here.
 */
export function listJsonColumns(schema = readFileSync(`${ROOT}schema.sql`, "utf8")): JsonColumn[] {
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
  const jsonColumns = columns.filter((each) => checked.includes(each) || copied.has(each.column));
  const unknown = jsonColumns.map(nameOf).filter((name) => !(name in SCHEMAS));
  if (unknown.length > 0) throw new Error(`no schema in stored-json.ts for ${unknown.join(", ")}`);
  return jsonColumns.map(({ table, column }) => ({ table, column }));
}

/** Returns one line for each value in a JSON column that violates its schema. */
export async function findStoredJsonFaults(run: RunSql): Promise<string[]> {
  const columns = listJsonColumns();
  const results = await run(
    ...columns.map(({ table, column }) => ({
      query: `select distinct ${column} as value from ${table} where ${column} is not null`,
    })),
  );
  return columns.flatMap((column, index) =>
    (results[index] ?? []).flatMap(({ value }) => {
      const fault = findFault(nameOf(column), String(value));
      return fault === undefined ? [] : [`${nameOf(column)}: ${String(value).slice(0, 200)}: ${fault}`];
    }),
  );
}

const nameOf = ({ table, column }: JsonColumn) => `${table}.${column}`;

/** Matches strings, which the check skips, and numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

function findFault(name: string, text: string): string | undefined {
  // drawable_member stores an empty text for members without a picture.
  if (name === "drawable_member.pics_public" && text === "") return undefined;
  const misspelled = (text.match(TOKENS) ?? []).find((token) => token[0] !== '"' && token !== String(Number(token)));
  if (misspelled !== undefined) return `the number ${misspelled} is not written as ${Number(misspelled)}`;
  const parsed = SCHEMAS[name]?.safeParse(JSON.parse(text));
  return parsed?.error && z.prettifyError(parsed.error).replaceAll("\n", " ");
}
