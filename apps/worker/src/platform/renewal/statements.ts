/** The columns of several tables that an older version of the site's secret encrypted: how they are read and written. */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Purpose } from "../keys.ts";

export interface EncryptedColumn {
  readonly table: string;
  readonly keys: readonly string[];
  readonly column: string;
  readonly purpose: Purpose;
  /** Stored as base64url text and not as bytes; only rows of this kind. */
  readonly textOf?: string;
}

/** Without those of accounts (places/positions/renew-lattices.ts), and without what lasts for days. */
export const RENEWED_COLUMNS: readonly EncryptedColumn[] = [
  { table: "picture_hash", keys: ["picture_id"], column: "sealed_print", purpose: "picture-print" },
  { table: "known_picture", keys: ["id"], column: "sealed_print", purpose: "picture-print" },
  { table: "ban_mark", keys: ["id"], column: "sealed_print", purpose: "picture-print" },
  { table: "ban_mark", keys: ["id"], column: "mark", purpose: "ban-picture", textOf: "picture" },
  { table: "notice", keys: ["id"], column: "upload_print", purpose: "picture-print" },
  { table: "notice_picture", keys: ["notice_id", "picture_id"], column: "sealed_print", purpose: "picture-print" },
];

function storedText({ column, textOf }: EncryptedColumn): RawBuilder<string> {
  return textOf === undefined ? sql<string>`hex(${sql.ref(column)})` : sql<string>`${sql.ref(column)}`;
}

/** Reads values that do not begin with the newest key's id, and their rows' keys as JSON. */
export async function listOlder(db: Database, of: EncryptedColumn, newestId: Buffer, limit: number) {
  const { table, keys, column, textOf } = of;
  const stored = storedText(of);
  // As many whole characters as the id fills.
  const id =
    textOf === undefined ? newestId.toString("hex").toUpperCase() : newestId.toString("base64url").slice(0, -1);
  const key = sql.join(keys.map((name) => sql`${sql.lit(name)}, ${sql.ref(name)}`));
  const { rows } = await sql<{ key: string; value: string }>`
    select json_object(${key}) as key, ${stored} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${textOf === undefined ? sql`` : sql`and kind = ${textOf}`}
      and substr(${stored}, 1, ${sql.lit(id.length)}) <> ${id}
    limit ${limit}`.execute(db);
  return rows;
}

/** Writes values over the ones that were read. A row that changed meanwhile is of the newest key. */
export async function replaceOlder(
  db: Database,
  of: EncryptedColumn,
  rows: readonly { readonly key: string; readonly value: string; readonly renewed: string }[],
): Promise<void> {
  const { table, keys, column, textOf } = of;
  const value = textOf === undefined ? sql`unhex(j.value ->> 'renewed')` : sql`j.value ->> 'renewed'`;
  const isRow = sql.join(
    keys.map((name) => sql`${sql.ref(`${table}.${name}`)} = j.value ->> 'key' ->> ${sql.lit(name)}`),
    sql` and `,
  );
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} from json_each(${JSON.stringify(rows)}) as j
    where ${isRow} and ${storedText(of)} = j.value ->> 'value'`.execute(db);
}
