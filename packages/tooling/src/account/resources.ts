/** The site's resources in an account. They are found by name and created if missing, but never replaced or deleted. */
import type { Account } from "./client.ts";
import { AccountError } from "./client.ts";

/** Where data is stored. The choice is final: neither databases nor buckets can be moved later. */
export type DataLocation = (typeof DATA_LOCATIONS)[number];
/** `eu` is a contractual jurisdiction; the others are only location hints. */
export const DATA_LOCATIONS = ["eu", "weur", "eeur", "enam", "wnam", "apac", "oc"] as const;

export interface RemoteDatabase {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction?: string | null;
  readonly read_replication?: { readonly mode: string };
}

export type Rows = readonly Record<string, unknown>[];

const JURISDICTION = "eu";
const PAGE_SIZE = 100;

export async function findDatabase(account: Account, name: string): Promise<RemoteDatabase | undefined> {
  const databases = await account.request<RemoteDatabase[]>(
    "GET",
    `~/d1/database?name=${encodeURIComponent(name)}&per_page=${PAGE_SIZE}`,
  );
  return databases.find((database) => database.name === name);
}

export function createDatabase(account: Account, name: string, location: DataLocation): Promise<RemoteDatabase> {
  const place = location === JURISDICTION ? { jurisdiction: JURISDICTION } : { primary_location_hint: location };
  return account.request("POST", "~/d1/database", { name, ...place });
}

/** Enables read replicas, which cost nothing beyond the rows that they read. Throws if replication stays off. */
export async function enableReadReplication(account: Account, id: string): Promise<void> {
  const getMode = async () =>
    (await account.request<RemoteDatabase>("GET", `~/d1/database/${id}`)).read_replication?.mode ?? "unknown";
  if ((await getMode()) === "auto") return;
  await account.request("PUT", `~/d1/database/${id}`, { read_replication: { mode: "auto" } });
  const mode = await getMode();
  if (mode !== "auto") throw new Error(`read_replication is ${mode}`);
}

/** Runs statements in one transaction and returns the rows of the first. */
export async function queryDatabase(account: Account, id: string, sql: string): Promise<Rows> {
  const [first] = await account.request<{ results: Rows }[]>("POST", `~/d1/database/${id}/query`, { sql });
  return first?.results ?? [];
}

/** Buckets with the same name inside and outside a jurisdiction are different buckets. */
const bucketHeaders = (location: DataLocation) =>
  location === JURISDICTION ? { "cf-r2-jurisdiction": JURISDICTION } : undefined;

export async function hasBucket(account: Account, name: string, location: DataLocation): Promise<boolean> {
  return exists(account.request("GET", `~/r2/buckets/${name}`, undefined, bucketHeaders(location)));
}

export async function createBucket(account: Account, name: string, location: DataLocation): Promise<void> {
  const place = location === JURISDICTION ? {} : { locationHint: location };
  await account.request("POST", "~/r2/buckets", { name, ...place }, bucketHeaders(location));
}

export async function hasQueue(account: Account, name: string): Promise<boolean> {
  const queues = await account.request<{ queue_name: string }[]>("GET", `~/queues?name=${encodeURIComponent(name)}`);
  return queues.some((queue) => queue.queue_name === name);
}

export async function createQueue(account: Account, name: string, location: DataLocation): Promise<void> {
  const place = location === JURISDICTION ? { jurisdiction: JURISDICTION } : {};
  await account.request("POST", "~/queues", { queue_name: name, ...place });
}

/** Names of the deployed worker's secrets; undefined if there is no worker yet. Their values cannot be read back. */
export async function listSecrets(account: Account, script: string): Promise<readonly string[] | undefined> {
  try {
    const secrets = await account.request<{ name: string }[]>("GET", `~/workers/scripts/${script}/secrets`);
    return secrets.map(({ name }) => name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export interface Zone {
  readonly id: string;
  readonly name: string;
}

/** The account's zone that contains a host. */
export async function findZone(account: Account, host: string): Promise<Zone | undefined> {
  const labels = host.split(".");
  for (let from = 0; from <= labels.length - 2; from += 1) {
    const name = labels.slice(from).join(".");
    const [zone] = await account.request<Zone[]>("GET", `/zones?name=${name}&account.id=${account.id}`);
    if (zone) return zone;
  }
  return undefined;
}

async function exists(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof AccountError && error.status === 404;
