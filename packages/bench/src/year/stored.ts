/** Measures the bytes that a row and its index entries take, in a database file created from schema.sql. */
import { mkdtempDisposableSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { DAY_MS, NOTIFICATION_RETENTION_MS } from "@lambda/contract/limits";
import { fillDatabase } from "../database.ts";
import { Population } from "../population.ts";

export interface Kind {
  readonly bytes: number;
  /** Undefined: kept as long as the account. */
  readonly daysKept: number | undefined;
}

export type Stored = Readonly<Record<"account" | "message" | "like" | "notification" | "picture", Kind>>;

const MEMBERS = 20_000;
const ROWS = 200_000;

/** Statements that add rows of each kind, with their dependent rows, such as conversations of messages. */
const INSERTS: Record<Exclude<keyof Stored, "account">, readonly string[]> = {
  message: [
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select a, b, min(a, b), max(a, b), uuid, 'Hello, how is it going tonight? I am around.', 'ember', 1790000000000 + i
      from (select i, 1 + i * 7919 % 19999 as a, 1 + (i * 104729 + 11) % 20000 as b,
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) as uuid from n)
      where a <> b`,
    // Assumes fifteen messages per pair, while here almost each message is of a different pair.
    `delete from message_pair where (low_id + high_id) % 15 <> 0`,
    `insert or ignore into conversation (profile_id, other_id, last_message_id, unread) select sender_id, recipient_id, id, 0 from message where id % 15 = 0`,
    `insert or ignore into conversation (profile_id, other_id, last_message_id, unread) select recipient_id, sender_id, id, 1 from message where id % 15 = 0`,
  ],
  like: [
    `insert or ignore into profile_like (liker_id, liked_id, like_type, ts_created)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select 1 + i * 7919 % 19999, 1 + (i * 104729 + 11) % 20000, 'LIKE', 1790000000000 + i from n`,
  ],
  notification: [
    `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select 1 + i * 7919 % 19999, 'like', 1 + (i * 104729 + 11) % 20000, 'Someone likes your profile', 'ember', 1790000000000 + i from n`,
  ],
  picture: [
    `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select 1 + i * 7919 % 19999, 'public', 1200, 1600, 400000, 1790000000000, 1790000000000 from n`,
  ],
};

const KEPT_DAYS: Partial<Record<keyof Stored, number>> = { notification: NOTIFICATION_RETENTION_MS / DAY_MS };

export function measureStored(): Stored {
  using directory = mkdtempDisposableSync(join(tmpdir(), "bench-stored-"));
  const file = join(directory.path, "members.sqlite");
  const bytesOf = () => {
    const db = new DatabaseSync(file);
    db.exec("vacuum");
    db.close();
    return statSync(file).size;
  };
  const empty = new DatabaseSync(file);
  empty.exec(readFileSync(fileURLToPath(import.meta.resolve("../../../../schema.sql")), "utf8"));
  empty.close();
  const before = bytesOf();
  fillDatabase(file, new Population().members(MEMBERS), 1_790_000_000_000);
  let size = bytesOf();
  const kinds: Partial<Record<keyof Stored, Kind>> = {
    account: { bytes: (size - before) / MEMBERS, daysKept: undefined },
  };
  for (const [kind, statements] of Object.entries(INSERTS) as [keyof typeof INSERTS, readonly string[]][]) {
    const db = new DatabaseSync(file);
    db.exec("pragma foreign_keys = off; pragma synchronous = off");
    const inserted = Number(db.prepare(statements[0]!).run().changes);
    for (const statement of statements.slice(1)) db.exec(statement);
    db.close();
    const grown = bytesOf();
    kinds[kind] = { bytes: (grown - size) / inserted, daysKept: KEPT_DAYS[kind] };
    size = grown;
  }
  return kinds as Stored;
}
