/**
 * The steps from an empty account to a running site. Each creates only what is missing, so that an interrupted run can be repeated;
 * nothing is ever replaced, and keys are generated only once.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Account } from "../account/client.ts";
import { listObstacles, missingPermission } from "../account/permissions.ts";
import {
  createBucket,
  createQueue,
  enableReadReplication,
  findZone,
  hasBucket,
  listSecrets,
  queryDatabase,
} from "../account/resources.ts";
import { listDeployments } from "../deploy/deployments.ts";
import { changeSecret } from "../deploy/secret.ts";
import { requireSite, siteBrands, updateSite } from "../deployment/site-file.ts";
import type { Answers } from "./answers.ts";
import { makeDatabase } from "./database.ts";
import { type Keys, makeKeys, publicPushKey, seal, unseal } from "./keys.ts";
import { onboardMail } from "./mail.ts";
import { addMessageDatabase } from "./message-database.ts";
import { checkStreets } from "./streets.ts";

export interface SetupOptions {
  readonly account: Account;
  readonly answers: Answers;
  /** The project's folder, with `deployment/site.json`, in which the results are kept. */
  readonly root: string;
  readonly script: string;
  readonly database: string;
  readonly buckets: readonly string[];
  readonly queues: readonly string[];
  readonly dryRun: boolean;
  /** A token that can only export databases, once the operator has created one. */
  readonly backupToken: string | undefined;
  readonly escrow: string;
  askPassphrase(isNew: boolean): Promise<string>;
  /** Puts the world basemap into the tiles bucket. */
  putWorld(): Promise<void>;
  /** Puts the streets around the first city there. */
  putStreets(): Promise<void>;
  /** The first deployment, with the worker's secrets. */
  deployFirst(secrets: Keys): Promise<void>;
  /** Sets addresses, crons and queues of the deployed version. */
  setTriggers(): Promise<void>;
  awaitSite(): Promise<void>;
  say(line: string): void;
}

/** Returns what is left for the operator, each as a sentence. */
export async function setUp(it: SetupOptions): Promise<string[]> {
  const remaining: string[] = [];
  await checkStreets(it.answers.streets, siteBrands(it.answers));
  await requireAccess(it);
  if (!it.dryRun) updateSite(it.root, { answers: it.answers, account: it.account.id });
  const order = { ...it, location: it.answers.location };
  const mainId = (await makeDatabase(order, it.database, "main")) ?? "";
  if (!it.dryRun) updateSite(it.root, { database: mainId });
  remaining.push(...(await enableReplication(it, mainId)));
  // npm run add-message-database adds more.
  await addMessageDatabase({ ...order, number: 1, mainId });
  await createBucketsAndQueues(it);
  const secrets = await createSecrets(it);
  if (!isFinished(it, "map")) await act(it, "put the map of the world into its bucket", it.putWorld, "map");
  const { firstCity, streets } = it.answers;
  // Other streets are uploaded anew.
  const streetsStep = `streets ${streets}`;
  if (!isFinished(it, streetsStep))
    await act(it, `put the streets of ${firstCity.name} into the same bucket`, it.putStreets, streetsStep);
  for (const { host } of Object.values(it.answers.brands)) {
    remaining.push(...(await onboardMail(it.account, { host, mailbox: it.answers.operator, dryRun: it.dryRun })));
  }
  if ((await listDeployments(it.account, it.script)).length === 0) {
    await act(it, "deploy the first version", () => it.deployFirst(secrets), "deployed");
  } else if (!isFinished(it, "deployed")) {
    // An interrupted deployment may have ended between the upload and these.
    await act(it, "set addresses, crons and queues", it.setTriggers, "deployed");
  }
  remaining.push(...(await uploadBackupToken(it)), ...(await promoteAdmin(it, mainId)), ...(await reachSite(it)));
  // Of several brands, one mailbox to confirm.
  return [...new Set(remaining)];
}

function isFinished({ root, dryRun }: SetupOptions, step: string): boolean {
  return !dryRun && (requireSite(root).finished ?? []).includes(step);
}

/** Repeated by each run until it succeeds once, since a new domain can take long to answer. */
async function reachSite(it: SetupOptions): Promise<string[]> {
  if (isFinished(it, "site")) return [];
  try {
    await act(it, "reach the site at its addresses", it.awaitSite, "site");
    return [];
  } catch (error) {
    return [`${error instanceof Error ? error.message : error}: run npm run setup again, which only repeats this`];
  }
}

/** Throws before anything is created if a host is in no zone, or if the token or the account lacks something. */
async function requireAccess({ account, answers }: SetupOptions): Promise<void> {
  const hosts = Object.values(answers.brands).map(({ host }) => host);
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

/** A failure does not stop the setup, because the site works without replicas, only slower for distant members. */
async function enableReplication(it: SetupOptions, mainId: string): Promise<string[]> {
  try {
    await act(it, "enable read replicas of the database", () => enableReadReplication(it.account, mainId));
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`Read replicas of the database are off, and every read crosses to the primary: ${why}`];
  }
}

async function createBucketsAndQueues(it: SetupOptions): Promise<void> {
  const { account, answers, say } = it;
  for (const name of it.buckets) {
    if (await hasBucket(account, name, answers.location)) say(`The bucket ${name} exists.`);
    else await act(it, `create the bucket ${name}`, () => createBucket(account, name, answers.location));
  }
  for (const name of it.queues) {
    const { result } = await account.api.queues.list({ account_id: account.id });
    if (result.some((queue) => queue.queue_name === name)) say(`The queue ${name} exists.`);
    else await act(it, `create the queue ${name}`, () => createQueue(account, name, answers.location));
  }
}

/**
 * Generates keys if neither the account nor the escrow file has them. They are written to the escrow file first, so that an interrupted
 * run continues with the same ones.
 */
async function createSecrets(it: SetupOptions): Promise<Keys> {
  const { account, escrow, root, say } = it;
  const stored = await listSecrets(account, it.script);
  if (stored?.includes("SITE_KEY")) {
    say("The worker has its keys.");
    return {};
  }
  if (existsSync(escrow)) {
    if (it.dryRun) return {};
    const secrets = unseal(readFileSync(escrow, "utf8"), await it.askPassphrase(false));
    updateSite(root, { pushKey: publicPushKey(secrets) });
    return secrets;
  }
  if (!it.dryRun && requireSite(root).pushKey) {
    throw new Error(`deployment/site.json has a pushKey whose keys are not in ${escrow}: put that file back.`);
  }
  if (it.dryRun) {
    say(`Would make the keys and seal them into ${escrow}.`);
    return {};
  }
  const passphrase = await it.askPassphrase(true);
  const secrets = makeKeys();
  mkdirSync(dirname(escrow), { recursive: true });
  writeFileSync(escrow, seal(secrets, passphrase), { mode: 0o600, flag: "wx" });
  unseal(readFileSync(escrow, "utf8"), passphrase);
  say(
    `Made the keys and sealed them into ${escrow}. Keep that file and its passphrase apart, and both away from this account.`,
  );
  updateSite(root, { pushKey: publicPushKey(secrets) });
  return secrets;
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
async function promoteAdmin({ account, answers, dryRun }: SetupOptions, mainId: string): Promise<string[]> {
  const instruction = `Register ${answers.operator} on the site, then run npm run setup again to make that account the first admin`;
  if (!mainId) return [instruction];
  const email = answers.operator.replaceAll("'", "''").toLowerCase();
  const ofOperator = `WHERE email = '${email}' AND ts_deleted IS NULL`;
  const [member] = await queryDatabase(account, mainId, `SELECT admin_brand FROM account ${ofOperator}`);
  if (!member) return [instruction];
  if (member.admin_brand === "*") return [];
  if (dryRun) return [`${answers.operator} would become the first admin`];
  await queryDatabase(account, mainId, `UPDATE account SET admin_brand = '*' ${ofOperator}`);
  return [];
}

/** @param step recorded as finished, for results that are not visible in the account */
async function act(
  { dryRun, say, root }: SetupOptions,
  action: string,
  run: () => Promise<void>,
  step?: string,
): Promise<void> {
  if (dryRun) return say(`Would ${action}.`);
  if (step) say(`Next: ${action}, which takes a while.`);
  await run();
  if (step) updateSite(root, { finished: [...(requireSite(root).finished ?? []), step] });
  say(`Done: ${action}.`);
}
