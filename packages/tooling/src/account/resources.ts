/** The site's resources in an account. They are found by name and created if missing, but never replaced or deleted. */
import type { D1 } from "cloudflare/resources/d1/d1";
import type { Zone } from "cloudflare/resources/zones/zones";
import { type Account, unlessMissing } from "./client.ts";

/** Where data is stored. The choice is final: neither databases nor buckets can be moved later. */
export type DataLocation = (typeof DATA_LOCATIONS)[number];
/** `eu` is a contractual jurisdiction; the others are only location hints. */
export const DATA_LOCATIONS = ["eu", "weur", "eeur", "enam", "wnam", "apac", "oc"] as const;

/** The SDK has every field optional. */
type RemoteDatabase = D1 & { readonly uuid: string };

export type Rows = readonly Record<string, unknown>[];

export async function findDatabase({ id, api }: Account, name: string): Promise<RemoteDatabase | undefined> {
  const { result } = await api.d1.database.list({ account_id: id, name, per_page: 100 });
  return result.find((database) => database.name === name) as RemoteDatabase | undefined;
}

export async function createDatabase(
  { id, api }: Account,
  name: string,
  location: DataLocation,
): Promise<RemoteDatabase> {
  const place = location === "eu" ? { jurisdiction: location } : { primary_location_hint: location };
  return (await api.d1.database.create({ account_id: id, name, ...place })) as RemoteDatabase;
}

/** Enables read replicas, which cost nothing beyond the rows that they read. Throws if replication stays off. */
export async function enableReadReplication({ id, api }: Account, database: string): Promise<void> {
  const account = { account_id: id };
  const getMode = async () => (await api.d1.database.get(database, account)).read_replication?.mode ?? "unknown";
  if ((await getMode()) === "auto") return;
  await api.d1.database.update(database, { ...account, read_replication: { mode: "auto" } });
  const mode = await getMode();
  if (mode !== "auto") throw new Error(`read_replication is ${mode}`);
}

/** Runs statements in one transaction and returns the rows of the first. */
export async function queryDatabase({ id, api }: Account, database: string, sql: string): Promise<Rows> {
  const { result } = await api.d1.database.query(database, { account_id: id, sql });
  return (result[0]?.results ?? []) as Rows;
}

/** Buckets with the same name inside and outside a jurisdiction are different buckets. */
const jurisdictionOf = (location: DataLocation) => (location === "eu" ? ({ "cf-r2-jurisdiction": "eu" } as const) : {});

export async function hasBucket({ id, api }: Account, name: string, location: DataLocation): Promise<boolean> {
  const bucket = api.r2.buckets.get(name, { account_id: id, ...jurisdictionOf(location) });
  return (await unlessMissing(bucket)) !== undefined;
}

export async function createBucket({ id, api }: Account, name: string, location: DataLocation): Promise<void> {
  const place = location === "eu" ? jurisdictionOf(location) : { locationHint: location };
  await api.r2.buckets.create({ account_id: id, name, ...place });
}

interface StoredFile {
  readonly key: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export async function putObject(
  { id, api }: Account,
  bucket: string,
  location: DataLocation,
  { key, bytes, type }: StoredFile,
): Promise<void> {
  const place = { account_id: id, bucket_name: bucket, ...jurisdictionOf(location) };
  await api.r2.buckets.objects.upload(key, bytes, place, { headers: { "content-type": type } });
}

/** Undefined if there is no such object. */
export async function getObject(
  { id, api }: Account,
  bucket: string,
  location: DataLocation,
  key: string,
): Promise<Uint8Array | undefined> {
  const place = { account_id: id, bucket_name: bucket, ...jurisdictionOf(location) };
  const object = await unlessMissing(api.r2.buckets.objects.get(key, place).asResponse());
  return object && new Uint8Array(await object.arrayBuffer());
}

/** The keys of all objects with a prefix. */
export async function listObjects(
  { id, api }: Account,
  bucket: string,
  location: DataLocation,
  prefix: string,
): Promise<string[]> {
  const keys: string[] = [];
  const pages = api.r2.buckets.objects.list(bucket, {
    account_id: id,
    prefix,
    per_page: 1000,
    ...jurisdictionOf(location),
  });
  for await (const { key } of pages) if (key) keys.push(key);
  return keys;
}

export async function createQueue({ id, api }: Account, name: string, location: DataLocation): Promise<void> {
  await api.queues.create({ account_id: id, queue_name: name, ...(location === "eu" && { jurisdiction: location }) });
}

/** Names of the deployed worker's secrets; undefined if there is no worker yet. Their values cannot be read back. */
export async function listSecrets({ id, api }: Account, script: string): Promise<readonly string[] | undefined> {
  const secrets = await unlessMissing(api.workers.scripts.secrets.list(script, { account_id: id }));
  return secrets?.result.map(({ name }) => name);
}

/** The account's zone that contains a host. */
export async function findZone({ id, api }: Account, host: string): Promise<Zone | undefined> {
  const labels = host.split(".");
  for (let from = 0; from <= labels.length - 2; from += 1) {
    const { result } = await api.zones.list({ name: labels.slice(from).join("."), account: { id } });
    if (result[0]) return result[0];
  }
  return undefined;
}
