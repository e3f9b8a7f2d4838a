/** What the site has in an account: each is looked for by its name and made where it is missing, never replaced or removed. */
import type { Account } from "./client.ts";
import { AccountError } from "./client.ts";

/** Where data lies. It is chosen once: neither a database nor a bucket can be moved later. */
export type DataLocation = (typeof DATA_LOCATIONS)[number];
/** `eu` binds by contract (a jurisdiction); the others are places near which data is put. */
export const DATA_LOCATIONS = ["eu", "weur", "eeur", "enam", "wnam", "apac", "oc"] as const;

export interface RemoteDatabase {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction?: string | null;
  readonly read_replication?: { readonly mode: string };
}

export type Rows = readonly Record<string, unknown>[];

const JURISDICTION = "eu";
const PAGE = 100;

export async function findDatabase(account: Account, name: string): Promise<RemoteDatabase | undefined> {
  const found = await account.ask<RemoteDatabase[]>(
    "GET",
    `~/d1/database?name=${encodeURIComponent(name)}&per_page=${PAGE}`,
  );
  return found.find((database) => database.name === name);
}

export function createDatabase(account: Account, name: string, location: DataLocation): Promise<RemoteDatabase> {
  const place = location === JURISDICTION ? { jurisdiction: JURISDICTION } : { primary_location_hint: location };
  return account.ask("POST", "~/d1/database", { name, ...place });
}

/** Copies of a database in the regions where it is read; they cost nothing but the rows that they read. Throws where it stays off. */
export async function replicateReads(account: Account, id: string): Promise<void> {
  const mode = async () =>
    (await account.ask<RemoteDatabase>("GET", `~/d1/database/${id}`)).read_replication?.mode ?? "unknown";
  if ((await mode()) === "auto") return;
  await account.ask("PUT", `~/d1/database/${id}`, { read_replication: { mode: "auto" } });
  const now = await mode();
  if (now !== "auto") throw new Error(`read_replication is ${now}`);
}

/** Runs statements as one transaction and answers the rows of the first. */
export async function queryDatabase(account: Account, id: string, sql: string): Promise<Rows> {
  const [first] = await account.ask<{ results: Rows }[]>("POST", `~/d1/database/${id}/query`, { sql });
  return first?.results ?? [];
}

/** A bucket of a jurisdiction is another bucket than one of the same name without. */
const bucketHeaders = (location: DataLocation) =>
  location === JURISDICTION ? { "cf-r2-jurisdiction": JURISDICTION } : undefined;

export async function hasBucket(account: Account, name: string, location: DataLocation): Promise<boolean> {
  return exists(account.ask("GET", `~/r2/buckets/${name}`, undefined, bucketHeaders(location)));
}

export async function createBucket(account: Account, name: string, location: DataLocation): Promise<void> {
  const place = location === JURISDICTION ? {} : { locationHint: location };
  await account.ask("POST", "~/r2/buckets", { name, ...place }, bucketHeaders(location));
}

export async function hasQueue(account: Account, name: string): Promise<boolean> {
  const queues = await account.ask<{ queue_name: string }[]>("GET", `~/queues?name=${encodeURIComponent(name)}`);
  return queues.some((queue) => queue.queue_name === name);
}

export async function createQueue(account: Account, name: string): Promise<void> {
  await account.ask("POST", "~/queues", { queue_name: name });
}

/** Names of the deployed worker's secrets; undefined before there is a worker. Values can be read by nobody. */
export async function listSecrets(account: Account, script: string): Promise<readonly string[] | undefined> {
  try {
    const secrets = await account.ask<{ name: string }[]>("GET", `~/workers/scripts/${script}/secrets`);
    return secrets.map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export interface Zone {
  readonly id: string;
  readonly name: string;
}

/** The zone of the account that a host is in. */
export async function findZone(account: Account, host: string): Promise<Zone | undefined> {
  const labels = host.split(".");
  for (let from = 0; from <= labels.length - 2; from += 1) {
    const name = labels.slice(from).join(".");
    const [zone] = await account.ask<Zone[]>("GET", `/zones?name=${name}&account.id=${account.id}`);
    if (zone) return zone;
  }
  return undefined;
}

async function exists(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof AccountError && error.status === 404;
}
