/**
 * Adds a message database. Each step creates only what is missing, so that an interrupted run can be repeated. The worker uses the
 * database after the next deployment, once a cron job has measured its size.
 */
import { enableReadReplication, queryDatabase } from "../account/resources.ts";
import { messageDatabaseName } from "../deployment/config.ts";
import { requireSite, updateSite } from "../deployment/site-file.ts";
import { type DatabaseOrder, makeDatabase } from "./database.ts";

export interface MessageDatabaseOrder extends DatabaseOrder {
  /** Defaults to the next number, or to the last one if the site does not use it yet. */
  readonly number?: number | undefined;
  readonly mainId: string;
}

/** Message ids have six bits for the database number. */
const NUMBER_MAX = 63;

/** Returns the database's number if it is new to the site. */
export async function addMessageDatabase(it: MessageDatabaseOrder): Promise<number | undefined> {
  const { account, root, dryRun, say } = it;
  const number = it.number ?? (await nextNumber(it));
  if (!Number.isInteger(number) || number < 1 || number > NUMBER_MAX)
    throw new Error(`There is no message database ${number}: they are numbered from 1 to ${NUMBER_MAX}`);
  const name = messageDatabaseName(number);
  const id = await makeDatabase(it, name, "messages");
  if (!id || dryRun) return undefined;
  await enableReadReplication(account, id).catch((error: unknown) =>
    say(`Read replicas of ${name} are off, so all reads go to the primary: ${error}`),
  );
  // Registers it; the worker does not use it before a cron job has measured it.
  await queryDatabase(
    account,
    it.mainId,
    `INSERT INTO message_database (number, bytes, ts_measured) VALUES (${number}, 0, 0) ON CONFLICT (number) DO NOTHING`,
  );
  const { messageDatabases = {} } = requireSite(root);
  if (messageDatabases[number] === id) return undefined;
  updateSite(root, { messageDatabases: { ...messageDatabases, [number]: id } });
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
