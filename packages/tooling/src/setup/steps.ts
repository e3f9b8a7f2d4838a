/**
 * The steps from an empty account to a running site. Each looks first and makes what is missing, so that the whole can be broken off anywhere
 * and run again; nothing is ever replaced, and no key is made twice.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BRANDS } from "@lambda/brands";
import type { Account } from "../account/client.ts";
import {
  createBucket,
  createDatabase,
  createQueue,
  findDatabase,
  findZone,
  hasBucket,
  hasQueue,
  listSecrets,
  queryDatabase,
  replicateReads,
} from "../account/resources.ts";
import { listDeployments } from "../deploy/deployments.ts";
import { BASE, migrationsFor, noteAll, readMigrations } from "../deploy/numbered-migrations.ts";
import { listSchemaDifferences, remoteRunner } from "../deploy/target.ts";
import type { Answers } from "./answers.ts";
import { type Keys, makeKeys, publicPushKey, seal, unseal } from "./keys.ts";
import { onboardMail } from "./mail.ts";
import { addMessageDatabase } from "./message-database.ts";
import { readVariable, writeDatabaseId, writeProject, writePushKey } from "./project-files.ts";

export interface Setup {
  readonly account: Account;
  readonly answers: Answers;
  /** The project's folder. */
  readonly root: string;
  readonly script: string;
  readonly database: string;
  readonly buckets: readonly string[];
  readonly queues: readonly string[];
  readonly dryRun: boolean;
  /** A token that may export the database and nothing else, if the operator has made it. */
  readonly backupToken: string | undefined;
  /** Where the sealed keys are kept. */
  readonly escrow: string;
  askPassphrase(isNew: boolean): Promise<string>;
  /** Puts the world's map into the bucket of tiles. */
  putWorld(): Promise<void>;
  /** Commits these files. */
  commit(files: readonly string[]): void;
  /** The first deployment, with the worker's secrets. */
  deployFirst(secrets: Keys): Promise<void>;
  say(line: string): void;
  /** Notes that a step was finished that cannot be seen in the account. */
  finish(step: string): void;
  isFinished(step: string): boolean;
}

/** D1 takes 100 KB of SQL in a call. */
const SQL_BYTES_MAX = 50_000;

/** Answers what is left for the operator, each as a sentence. */
export async function setUp(it: Setup): Promise<string[]> {
  const left: string[] = [];
  await requireZones(it);
  const files = it.dryRun ? [] : writeProject(it.root, it.answers);
  files.push(...(await makeDatabase(it)));
  left.push(...(await replicate(it)));
  files.push(...(await makeMessageDatabase(it)));
  await makeStorage(it);
  const { secrets, files: keyFiles } = await makeSecrets(it);
  files.push(...keyFiles);
  if (!it.isFinished("map")) await act(it, "put the map of the world into its bucket", it.putWorld, "map");
  for (const { id } of BRANDS) {
    const { host, mailbox } = it.answers.brands[id]!;
    left.push(...(await onboardMail(it.account, { host, mailbox, dryRun: it.dryRun })));
  }
  if (files.length > 0) it.commit([...new Set(files)]);
  if ((await listDeployments(it.account, it.script)).length === 0) {
    await act(it, "deploy the first version", () => it.deployFirst(secrets));
  }
  left.push(...(await giveBackupToken(it)), ...(await makeAdmin(it)));
  return left;
}

/** Stops before anything is made when a host is in no zone. */
async function requireZones({ account, answers }: Setup): Promise<void> {
  const hosts = BRANDS.map(({ id }) => answers.brands[id]!.host);
  const zones = await Promise.all(hosts.map((host) => findZone(account, host)));
  const missing = hosts.filter((_host, at) => !zones[at]);
  if (missing.length > 0) {
    throw new Error(`No zone of this account has ${missing.join(", ")}: add the domain to the account first.`);
  }
}

async function makeDatabase(it: Setup): Promise<string[]> {
  const { account, answers, root, dryRun, say } = it;
  const schema = readFileSync(join(root, "schema.sql"), "utf8");
  let found = await findDatabase(account, it.database);
  if (found) say(`The database ${it.database} is there.`);
  else if (dryRun) {
    say(`Would make the database ${it.database} (${answers.location}) and load schema.sql.`);
    return [];
  } else {
    found = await createDatabase(account, it.database, answers.location);
    say(`Made the database ${it.database} (${answers.location}).`);
  }
  const run = remoteRunner({ account, databaseId: found.uuid });
  const [noted] = await run("SELECT 1 FROM sqlite_master WHERE name = 'migration_done'");
  if (dryRun) return [];
  const files = writeDatabaseId(root, found.uuid, account.id);
  const folder = join(root, "migrations");
  if (!noted) {
    // Every statement is one that may be repeated.
    for (const part of partsOf(schema)) await queryDatabase(account, found.uuid, part);
    const differences = await listSchemaDifferences(run, schema);
    if (differences.length > 0)
      throw new Error(`${it.database} is no database of this schema: ${differences.join(", ")}`);
    if (!existsSync(join(folder, BASE))) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, BASE), schema);
      files.push(`migrations/${BASE}`);
    }
    await noteAll(migrationsFor("main", readMigrations(folder)), run, Date.now());
    say("Loaded schema.sql.");
  }
  return files;
}

/** The first one; npm run add-message-database makes more. */
async function makeMessageDatabase(it: Setup): Promise<string[]> {
  const { account, root, dryRun, say } = it;
  const main = await findDatabase(account, it.database);
  if (!main) {
    say(`Would make the database ${it.database}-messages-1 (${it.answers.location}) for messages.`);
    return [];
  }
  return addMessageDatabase({
    ...{ account, root, dryRun, say, number: 1, mainId: main.uuid, location: it.answers.location },
    schema: readFileSync(join(root, "schema.sql"), "utf8"),
    migrations: readMigrations(join(root, "migrations")),
  });
}

/** Without it everything works, slower for who is far away: no reason to stop. */
async function replicate(it: Setup): Promise<string[]> {
  const found = await findDatabase(it.account, it.database);
  if (!found && !it.dryRun) return [];
  try {
    await act(it, "switch on copies of the database near the members", async () =>
      replicateReads(it.account, found?.uuid ?? ""),
    );
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`Copies of the database near the members are off, and every read crosses to the primary: ${why}`];
  }
}

/** Whole statements, as a trigger's end and a statement's stand at the end of a line. */
function partsOf(schema: string): string[] {
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

async function makeStorage(it: Setup): Promise<void> {
  const { account, answers, say } = it;
  for (const name of it.buckets) {
    if (await hasBucket(account, name, answers.location)) say(`The bucket ${name} is there.`);
    else await act(it, `make the bucket ${name}`, () => createBucket(account, name, answers.location));
  }
  for (const name of it.queues) {
    if (await hasQueue(account, name)) say(`The queue ${name} is there.`);
    else await act(it, `make the queue ${name}`, () => createQueue(account, name));
  }
}

/**
 * Keys are made when neither the account nor the sealed file has them, and are sealed before anybody else gets them: a run that is broken off
 * goes on with the same ones.
 */
async function makeSecrets(it: Setup): Promise<{ secrets: Keys; files: string[] }> {
  const { account, escrow, root, say } = it;
  const stored = await listSecrets(account, it.script);
  if (stored?.includes("POSITION_KEY")) {
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

/** The platform makes no token for a worker: the operator does, for the export of databases alone. */
async function giveBackupToken(it: Setup): Promise<string[]> {
  const stored = await listSecrets(it.account, it.script);
  if (stored?.includes("BACKUP_TOKEN")) return [];
  const { backupToken } = it;
  if (!backupToken) {
    return [
      "There is no backup yet: make a token that may edit D1 and nothing else, and run BACKUP_TOKEN=... npm run setup",
    ];
  }
  await act(it, "give the worker its token for backups", async () => {
    const secret = { name: "BACKUP_TOKEN", text: backupToken, type: "secret_text" };
    await it.account.ask("PUT", `~/workers/scripts/${it.script}/secrets`, secret);
  });
  return [];
}

/** An account registers itself, with its consent and its age; only then can it be made an admin. */
async function makeAdmin({ account, answers, database, dryRun }: Setup): Promise<string[]> {
  const wait = `Register ${answers.admin} on the site, then run npm run setup again to make that account the first admin`;
  const found = await findDatabase(account, database);
  if (!found) return [wait];
  const email = answers.admin.replaceAll("'", "''").toLowerCase();
  const [member] = await queryDatabase(
    account,
    found.uuid,
    `SELECT admin_brand FROM account WHERE email = '${email}' AND ts_deleted IS NULL`,
  );
  if (!member) return [wait];
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
  { dryRun, say, finish }: Setup,
  what: string,
  make: () => Promise<void>,
  step?: string,
): Promise<void> {
  if (dryRun) return say(`Would ${what}.`);
  await make();
  if (step) finish(step);
  say(`Done: ${what}.`);
}
