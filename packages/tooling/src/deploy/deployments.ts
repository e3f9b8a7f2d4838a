/** How requests are split between versions of the worker. */
import type { Deployment, DeploymentListResponse } from "cloudflare/resources/workers/scripts/deployments";
import { type Account, hasCode, unlessMissing } from "../account/client.ts";

/** The API's error for a version with older secrets than the newest one, unless the deployment is forced. */
const SECRETS_CHANGED = 10220;
const GONE_BACK = /^rollback|taken back$/;

/** Newest first; empty before the first deployment. */
export async function listDeployments({ id, api }: Account, script: string): Promise<readonly Deployment[]> {
  const page = await unlessMissing(api.workers.scripts.deployments.list(script, { account_id: id }));
  // The SDK looks for pages of `items`, which this answer is not.
  return (page?.result as DeploymentListResponse | undefined)?.deployments ?? [];
}

export async function setTrafficSplit(
  { id, api }: Account,
  script: string,
  versions: Deployment.Version[],
  message: string,
  { force = false } = {},
): Promise<void> {
  await api.workers.scripts.deployments.create(script, {
    account_id: id,
    strategy: "percentage",
    versions,
    annotations: { "workers/message": message.slice(0, 100) },
    ...(force && { force }),
  });
}

/** Gives a version all requests even if its secrets are old; returns the platform's sentence that names them. */
export async function goBack(
  account: Account,
  script: string,
  version: string,
  message: string,
): Promise<string | undefined> {
  const shares = [{ version_id: version, percentage: 100 }];
  try {
    await setTrafficSplit(account, script, shares, message);
    return undefined;
  } catch (error) {
    if (!hasCode(error, SECRETS_CHANGED)) throw error;
    await setTrafficSplit(account, script, shares, message, { force: true });
    return error.message;
  }
}

/** The last version that received all requests. Throws if there is none. */
export function stableVersion(deployments: readonly Deployment[]): string {
  const stable = deployments.map(versionWithAllRequests).find((version) => version !== undefined);
  if (!stable) throw new Error("No version has ever received all requests.");
  return stable;
}

/**
 * The version to roll back to: during a rollout the one it started from, otherwise the last one with other code than the
 * current. A changed secret makes a version of the same code, which would be no way back.
 */
export async function previousVersion(
  account: Account,
  script: string,
  deployments: readonly Deployment[],
): Promise<string> {
  const [latest] = deployments;
  const current = latest && versionWithAllRequests(latest);
  if (latest && !current) return stableVersion(deployments);
  const code = current && (await describeCode(account, script, current)).code;
  for (const deployment of deployments) {
    const version = versionWithAllRequests(deployment);
    if (!version) continue;
    if ((await describeCode(account, script, version)).code !== code) return version;
    if (GONE_BACK.test(deployment.annotations?.["workers/message"] ?? ""))
      throw new Error(
        `${current} was itself gone back to. Name a version: npm run rollback -- VERSION (npm run wrangler -- versions list)`,
      );
  }
  throw new Error("There is no version to roll back to: this is the first.");
}

interface Binding {
  readonly name: string;
  readonly type: string;
  /** Of a database; the API and its SDK disagree on the name. */
  readonly database_id?: string;
  readonly id?: string;
}

/** Throws if a version is of before a restore, as it writes into databases that the site left. */
export async function requireDatabases(
  { id, api }: Account,
  script: string,
  version: string,
  current: readonly string[],
): Promise<void> {
  const { resources } = await api.workers.scripts.versions.get(version, { account_id: id, script_name: script });
  const bindings = (resources.bindings ?? []) as readonly Binding[];
  const databaseOf = (binding: Binding) => binding.database_id ?? binding.id ?? "";
  const left = bindings.find((binding) => binding.type === "d1" && !current.includes(databaseOf(binding)));
  if (left)
    throw new Error(
      `${version} has ${left.name} of before a restore (${databaseOf(left)}). To run its code on the database of now: git checkout COMMIT, npm run deploy`,
    );
}

/** What a version runs, as a text that is equal for versions that differ in their secrets only. */
export async function describeCode(
  { id, api }: Account,
  script: string,
  version: string,
): Promise<{ readonly code: string; readonly secrets: readonly string[] }> {
  const { resources } = await api.workers.scripts.versions.get(version, { account_id: id, script_name: script });
  // The SDK's type of bindings has no fields.
  const bindings = (resources.bindings ?? []) as readonly Binding[];
  const isSecret = ({ type }: Binding) => type === "secret_text";
  // The commit is a variable: two versions with different files for the browser can have the same script.
  const others = bindings.filter((binding) => !isSecret(binding)).map((binding) => JSON.stringify(binding));
  return {
    code: JSON.stringify([resources.script?.etag, others.toSorted()]),
    secrets: bindings.filter(isSecret).map(({ name }) => name),
  };
}

export function versionWithAllRequests({ versions }: Deployment): string | undefined {
  return versions.find(({ percentage }) => percentage === 100)?.version_id;
}
