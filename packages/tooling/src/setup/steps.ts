/**
 * The steps from an empty account to a running site. Each creates only what is missing, so that an interrupted run can be repeated;
 * nothing is ever replaced, and keys are generated only once.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BRANDS } from "@lambda/brands";
import type { Account } from "../account/client.ts";
import { listObstacles, missingPermission } from "../account/permissions.ts";
import {
  createBucket,
  createDatabase,
  createQueue,
  enableReadReplication,
  findDatabase,
  findZone,
  hasBucket,
  hasQueue,
  listSecrets,
  queryDatabase,
} from "../account/resources.ts";
import { listDeployments } from "../deploy/deployments.ts";
import { markAllDone, migrationsFor, readMigrations } from "../deploy/numbered-migrations.ts";
import { changeSecret } from "../deploy/secret.ts";
import { listSchemaDifferences, remoteRunner } from "../deploy/target.ts";
import type { Answers } from "./answers.ts";
import { type Keys, makeKeys, publicPushKey, seal, unseal } from "./keys.ts";
import { onboardMail } from "./mail.ts";
import { addMessageDatabase } from "./message-database.ts";
import { readVariable, writeDatabaseId, writeProject, writePushKey } from "./project-files.ts";

export interface SetupOptions {
  readonly account: Account;
  readonly answers: Answers;
  /** The project's folder. */
  readonly root: string;
  readonly script: string;
  readonly database: string;
  readonly buckets: readonly string[];
  readonly queues: readonly string[];
  readonly dryRun: boolean;
  /** A token that can only export databases, once the operator has created one. */
  readonly backupToken: string | undefined;
  /** File with the encrypted keys. */
  readonly escrow: string;
  askPassphrase(isNew: boolean): Promise<string>;
  /** Puts the world basemap into the tiles bucket. */
  putWorld(): Promise<void>;
  commit(files: readonly string[]): void;
  /** The first deployment, with the worker's secrets. */
  deployFirst(secrets: Keys): Promise<void>;
  /** Waits until each brand's address answers. */
  awaitSite(): Promise<void>;
  say(line: string): void;
  /** Records a finished step whose result is not visible in the account. */
  finish(step: string): void;
  isFinished(step: string): boolean;
}

/** Well below D1's limit of 100 KB of SQL per call. */
const SQL_BYTES_MAX = 50_000;

/** Returns what is left for the operator, each as a sentence. */
export async function setUp(it: SetupOptions): Promise<string[]> {
  const remaining: string[] = [];
  await requireAccess(it);
  const files = it.dryRun ? [] : writeProject(it.root, it.answers);
  files.push(...(await createMainDatabase(it)));
  remaining.push(...(await enableReplication(it)));
  files.push(...(await createMessageDatabase(it)));
  await createBucketsAndQueues(it);
  const { secrets, files: keyFiles } = await createSecrets(it);
  files.push(...keyFiles);
  if (!it.isFinished("map")) await act(it, "put the map of the world into its bucket", it.putWorld, "map");
  for (const { id } of BRANDS) {
    const { host, mailbox } = it.answers.brands[id]!;
    remaining.push(...(await onboardMail(it.account, { host, mailbox, dryRun: it.dryRun })));
  }
  if (files.length > 0) it.commit([...new Set(files)]);
  if ((await listDeployments(it.account, it.script)).length === 0) {
    await act(it, "deploy the first version", () => it.deployFirst(secrets));
  }
  remaining.push(...(await uploadBackupToken(it)), ...(await promoteAdmin(it)), ...(await reachSite(it)));
  return remaining;
}

/** Repeated by each run until it succeeds once, since a new domain can take long to answer. */
async function reachSite(it: SetupOptions): Promise<string[]> {
  if (it.isFinished("site")) return [];
  try {
    await act(it, "reach the site at its addresses", it.awaitSite, "site");
    return [];
  } catch (error) {
    return [`${error instanceof Error ? error.message : error}: run npm run setup again, which only repeats this`];
  }
}

/** Throws before anything is created if a host is in no zone, or if the token or the account lacks something. */
async function requireAccess({ account, answers }: SetupOptions): Promise<void> {
  const hosts = BRANDS.map(({ id }) => answers.brands[id]!.host);
  const zones = await Promise.all(hosts.map((host) => findZone(account, host))).catch((error: unknown) => {
    throw new Error(`The token lacks ${missingPermission(error) ?? "access"}: ${error}`, { cause: error });
  });
  const missing = hosts.filter((_host, index) => !zones[index]);
  if (missing.length > 0) {
    throw new Error(
      `No zone of this account has ${missing.join(", ")}: add the domain to the account, or let the token read its zone.`,
    );
  }
  const obstacles = await listObstacles(
    account,
    zones.filter((zone) => zone !== undefined),
  );
  if (obstacles.length > 0)
    throw new Error(`Nothing was created, because (docs/OPERATIONS.md, First day):\n- ${obstacles.join("\n- ")}`);
}

async function createMainDatabase(it: SetupOptions): Promise<string[]> {
  const { account, answers, root, dryRun, say } = it;
  const schema = readFileSync(join(root, "schema.sql"), "utf8");
  let database = await findDatabase(account, it.database);
  if (database) say(`The database ${it.database} exists.`);
  else if (dryRun) {
    say(`Would make the database ${it.database} (${answers.location}) and load schema.sql.`);
    return [];
  } else {
    database = await createDatabase(account, it.database, answers.location);
    say(`Created the database ${it.database} (${answers.location}).`);
  }
  const run = remoteRunner({ account, databaseId: database.uuid });
  const [isLoaded] = await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'");
  if (dryRun) return [];
  const files = writeDatabaseId(root, database.uuid, account.id);
  const folder = join(root, "migrations");
  if (!isLoaded) {
    // All statements are idempotent.
    for (const part of splitSchema(schema)) await queryDatabase(account, database.uuid, part);
    const differences = await listSchemaDifferences(run, schema);
    if (differences.length > 0)
      throw new Error(`${it.database} is no database of this schema: ${differences.join(", ")}`);
    await markAllDone(migrationsFor("main", readMigrations(folder)), run, Date.now());
    say("Loaded schema.sql.");
  }
  return files;
}

/** Creates the first message database; npm run add-message-database adds more. */
async function createMessageDatabase(it: SetupOptions): Promise<string[]> {
  const { account, root, dryRun, say } = it;
  const main = await findDatabase(account, it.database);
  if (!main) {
    say(`Would make the database ${it.database}-messages-1 (${it.answers.location}) for messages.`);
    return [];
  }
  return addMessageDatabase({
    account,
    root,
    dryRun,
    say,
    number: 1,
    mainId: main.uuid,
    location: it.answers.location,
    schema: readFileSync(join(root, "schema.sql"), "utf8"),
    migrations: readMigrations(join(root, "migrations")),
  });
}

/** A failure does not stop the setup, because the site works without replicas, only slower for distant members. */
async function enableReplication(it: SetupOptions): Promise<string[]> {
  const found = await findDatabase(it.account, it.database);
  if (!found && !it.dryRun) return [];
  try {
    await act(it, "enable read replicas of the database", async () =>
      enableReadReplication(it.account, found?.uuid ?? ""),
    );
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`Read replicas of the database are off, and every read crosses to the primary: ${why}`];
  }
}

/** Splits the schema into parts of whole statements. */
function splitSchema(schema: string): string[] {
  const statements = schema.split(/^(?=CREATE |INSERT |PRAGMA )/m);
  const parts: string[] = [];
  for (const statement of statements) {
    const last = parts.at(-1);
    if (last !== undefined && Buffer.byteLength(last + statement) < SQL_BYTES_MAX)
      parts[parts.length - 1] = last + statement;
    else parts.push(statement);
  }
  return parts;
}

async function createBucketsAndQueues(it: SetupOptions): Promise<void> {
  const { account, answers, say } = it;
  for (const name of it.buckets) {
    if (await hasBucket(account, name, answers.location)) say(`The bucket ${name} exists.`);
    else await act(it, `create the bucket ${name}`, () => createBucket(account, name, answers.location));
  }
  for (const name of it.queues) {
    if (await hasQueue(account, name)) say(`The queue ${name} exists.`);
    else await act(it, `create the queue ${name}`, () => createQueue(account, name));
  }
}

/**
 * Generates keys if neither the account nor the escrow file has them. They are written to the escrow file first, so that an interrupted
 * run continues with the same ones.
 */
async function createSecrets(it: SetupOptions): Promise<{ secrets: Keys; files: string[] }> {
  const { account, escrow, root, say } = it;
  const stored = await listSecrets(account, it.script);
  if (stored?.includes("SITE_KEY")) {
    say("The worker has its keys.");
    return { secrets: {}, files: [] };
  }
  if (existsSync(escrow)) {
    if (it.dryRun) return { secrets: {}, files: [] };
    const secrets = unseal(readFileSync(escrow, "utf8"), await it.askPassphrase(false));
    return { secrets, files: writePushKey(root, publicPushKey(secrets)) };
  }
  if (readVariable(root, "VAPID_PUBLIC_KEY") !== "") {
    throw new Error(`wrangler.toml has a VAPID_PUBLIC_KEY whose keys are not in ${escrow}: put that file back.`);
  }
  if (it.dryRun) {
    say(`Would make the keys and seal them into ${escrow}.`);
    return { secrets: {}, files: [] };
  }
  const passphrase = await it.askPassphrase(true);
  const secrets = makeKeys();
  mkdirSync(dirname(escrow), { recursive: true });
  writeFileSync(escrow, seal(secrets, passphrase), { mode: 0o600, flag: "wx" });
  unseal(readFileSync(escrow, "utf8"), passphrase);
  say(
    `Made the keys and sealed them into ${escrow}. Keep that file and its passphrase apart, and both away from this account.`,
  );
  return { secrets, files: writePushKey(root, publicPushKey(secrets)) };
}

/** Stores the token for backups as a secret. Only the operator can create it. */
async function uploadBackupToken(it: SetupOptions): Promise<string[]> {
  const stored = await listSecrets(it.account, it.script);
  if (stored?.includes("BACKUP_TOKEN")) return [];
  const { backupToken } = it;
  if (!backupToken) {
    return [
      "There is no backup yet: make a token that may edit D1 and nothing else, and run BACKUP_TOKEN=... npm run setup",
    ];
  }
  await act(it, "give the worker its token for backups", async () => {
    await changeSecret(it.account, it.script, "BACKUP_TOKEN", backupToken);
  });
  return [];
}

/** Makes a registered account the first admin. Registering needs the person's consent and age, so setup cannot do it. */
async function promoteAdmin({ account, answers, database, dryRun }: SetupOptions): Promise<string[]> {
  const instruction = `Register ${answers.admin} on the site, then run npm run setup again to make that account the first admin`;
  const found = await findDatabase(account, database);
  if (!found) return [instruction];
  const email = answers.admin.replaceAll("'", "''").toLowerCase();
  const [member] = await queryDatabase(
    account,
    found.uuid,
    `SELECT admin_brand FROM account WHERE email = '${email}' AND ts_deleted IS NULL`,
  );
  if (!member) return [instruction];
  if (member.admin_brand === "*") return [];
  if (dryRun) return [`${answers.admin} would become the first admin`];
  await queryDatabase(
    account,
    found.uuid,
    `UPDATE account SET admin_brand = '*' WHERE email = '${email}' AND ts_deleted IS NULL`,
  );
  return [];
}

async function act(
  { dryRun, say, finish }: SetupOptions,
  action: string,
  run: () => Promise<void>,
  step?: string,
): Promise<void> {
  if (dryRun) return say(`Would ${action}.`);
  await run();
  if (step) finish(step);
  say(`Done: ${action}.`);
}
