/**
 * One more database for messages. Each step looks first and makes what is missing, so that a run that was broken off can be run again. The
 * worker uses it from the next deployment on, once the schedule has seen how large it is.
 */
import { listMessageDatabases, messageSchema } from "@lambda/testing/message-databases";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import type { Account } from "../account/client.ts";
import {
  createDatabase,
  type DataLocation,
  findDatabase,
  queryDatabase,
  replicateReads,
} from "../account/resources.ts";
import { migrationsFor, type NumberedMigration, noteAll } from "../deploy/numbered-migrations.ts";
import { listSchemaDifferences, remoteRunner } from "../deploy/target.ts";
import { writeMessageDatabase } from "./project-files.ts";

export interface MessageDatabaseOrder {
  readonly account: Account;
  /** The project's folder. */
  readonly root: string;
  readonly location: DataLocation;
  /** Which one; the next where it is left out, or the last as long as the site does not use it. */
  readonly number?: number | undefined;
  readonly schema: string;
  readonly migrations: readonly NumberedMigration[];
  readonly mainId: string;
  readonly dryRun: boolean;
  say(line: string): void;
}

/** A message's id has six bits for it. */
const NUMBER_MAX = 63;

/** Answers which files of the project changed. */
export async function addMessageDatabase(it: MessageDatabaseOrder): Promise<string[]> {
  const { account, root, location, dryRun, say } = it;
  const number = it.number ?? (await nextNumber(it));
  if (!Number.isInteger(number) || number < 1 || number > NUMBER_MAX)
    throw new Error(`There is no message database ${number}: they are numbered from 1 to ${NUMBER_MAX}`);
  const name = `lambda-messages-${number}`;
  let found = await findDatabase(account, name);
  if (!found && dryRun) {
    say(`Would make the database ${name} (${location}) and load its part of schema.sql.`);
    return [];
  }
  if (found) say(`The database ${name} is there.`);
  else {
    found = await createDatabase(account, name, location);
    say(`Made the database ${name} (${location}).`);
  }
  if (dryRun) return [];
  await loadSchema(it, name, found.uuid);
  await replicateReads(account, found.uuid).catch((error: unknown) =>
    say(`Copies of ${name} near the members are off, and every read of it crosses to the primary: ${error}`),
  );
  // Known to be there, and used by nobody before the schedule has measured it.
  await queryDatabase(
    account,
    it.mainId,
    `INSERT INTO message_database (number, bytes, ts_measured) VALUES (${number}, 0, 0) ON CONFLICT (number) DO NOTHING`,
  );
  return writeMessageDatabase(root, { number, name, id: found.uuid });
}

/** As long as the site does not use the last one, a run completes that: two runs make no two databases. */
async function nextNumber({ account, root, mainId }: MessageDatabaseOrder): Promise<number> {
  const bound = listMessageDatabases(readWranglerConfig(root).env.production.d1_databases);
  const last = bound.at(-1)?.number ?? 0;
  if (last === 0) return 1;
  const sql = `SELECT 1 FROM message_database WHERE number = ${last} AND ts_measured > 0`;
  const [used] = await queryDatabase(account, mainId, sql);
  return used ? last + 1 : last;
}

async function loadSchema(
  { account, schema, migrations, say }: MessageDatabaseOrder,
  name: string,
  id: string,
): Promise<void> {
  const run = remoteRunner({ account, databaseId: id });
  const [noted] = await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'");
  if (noted) return;
  const own = messageSchema(schema);
  // Every statement is one that may be repeated.
  await queryDatabase(account, id, own);
  const differences = await listSchemaDifferences(run, own);
  if (differences.length > 0) throw new Error(`${name} is no database for messages: ${differences.join(", ")}`);
  await noteAll(migrationsFor("messages", migrations), run, Date.now());
  say(`Loaded the part of schema.sql for messages into ${name}.`);
}
