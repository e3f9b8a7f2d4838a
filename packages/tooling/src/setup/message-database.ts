/**
 * Adds a message database. Each step creates only what is missing, so that an interrupted run can be repeated. The worker uses the
 * database after the next deployment, once a cron job has measured its size.
 */
import { messageSchema } from "@lambda/testing/message-databases";
import type { Account } from "../account/client.ts";
import {
  createDatabase,
  type DataLocation,
  enableReadReplication,
  findDatabase,
  queryDatabase,
} from "../account/resources.ts";
import { markAllDone, migrationsFor, type NumberedMigration } from "../deploy/numbered-migrations.ts";
import { listSchemaDifferences, remoteRunner } from "../deploy/target.ts";
import { messageDatabaseName } from "../deployment/config.ts";
import { requireSite, updateSite } from "../deployment/site-file.ts";

export interface MessageDatabaseOrder {
  readonly account: Account;
  readonly root: string;
  readonly location: DataLocation;
  /** Defaults to the next number, or to the last one if the site does not use it yet. */
  readonly number?: number | undefined;
  readonly schema: string;
  readonly migrations: readonly NumberedMigration[];
  readonly mainId: string;
  readonly dryRun: boolean;
  say(line: string): void;
}

/** Message ids have six bits for the database number. */
const NUMBER_MAX = 63;

/** Returns the database's number if it is new to the site. */
export async function addMessageDatabase(it: MessageDatabaseOrder): Promise<number | undefined> {
  const { account, root, location, dryRun, say } = it;
  const number = it.number ?? (await nextNumber(it));
  if (!Number.isInteger(number) || number < 1 || number > NUMBER_MAX)
    throw new Error(`There is no message database ${number}: they are numbered from 1 to ${NUMBER_MAX}`);
  const name = messageDatabaseName(number);
  let database = await findDatabase(account, name);
  if (!database && dryRun) {
    say(`Would create the database ${name} (${location}) and load its part of schema.sql.`);
    return undefined;
  }
  if (database) say(`The database ${name} exists.`);
  else {
    database = await createDatabase(account, name, location);
    say(`Created the database ${name} (${location}).`);
  }
  if (dryRun) return undefined;
  await loadSchema(it, name, database.uuid);
  await enableReadReplication(account, database.uuid).catch((error: unknown) =>
    say(`Read replicas of ${name} are off, so all reads go to the primary: ${error}`),
  );
  // Registers it; the worker does not use it before a cron job has measured it.
  await queryDatabase(
    account,
    it.mainId,
    `INSERT INTO message_database (number, bytes, ts_measured) VALUES (${number}, 0, 0) ON CONFLICT (number) DO NOTHING`,
  );
  const { messageDatabases = {} } = requireSite(root);
  if (messageDatabases[number] === database.uuid) return undefined;
  updateSite(root, { messageDatabases: { ...messageDatabases, [number]: database.uuid } });
  return number;
}

/** Returns the last number while the site does not use that database yet, so that repeated runs do not add two. */
async function nextNumber({ account, root, mainId }: MessageDatabaseOrder): Promise<number> {
  const last = Math.max(0, ...Object.keys(requireSite(root).messageDatabases ?? {}).map(Number));
  if (last === 0) return 1;
  const sql = `SELECT 1 FROM message_database WHERE number = ${last} AND ts_measured > 0`;
  const [isUsed] = await queryDatabase(account, mainId, sql);
  return isUsed ? last + 1 : last;
}

async function loadSchema(
  { account, schema, migrations, say }: MessageDatabaseOrder,
  name: string,
  id: string,
): Promise<void> {
  const run = remoteRunner({ account, databaseId: id });
  const [isLoaded] = await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'");
  if (isLoaded) return;
  const own = messageSchema(schema);
  // All statements are idempotent.
  await queryDatabase(account, id, own);
  const differences = await listSchemaDifferences(run, own);
  if (differences.length > 0) throw new Error(`${name} is no database for messages: ${differences.join(", ")}`);
  await markAllDone(migrationsFor("messages", migrations), run, Date.now());
  say(`Loaded the message part of schema.sql into ${name}.`);
}
