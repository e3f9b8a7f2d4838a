/** How requests are split between versions of the worker. */
import { type Account, AccountError } from "../account/client.ts";
import { isNotFound } from "../account/resources.ts";

export interface TrafficShare {
  readonly version_id: string;
  readonly percentage: number;
}

interface Deployment {
  readonly id: string;
  readonly created_on: string;
  readonly versions: readonly TrafficShare[];
  readonly annotations?: { readonly "workers/message"?: string };
}

/** The API's error for a version with older secrets than the newest one, unless the deployment is forced. */
const SECRETS_CHANGED = 10220;
const GONE_BACK = /^rollback|taken back$/;

/** Newest first; empty before the first deployment. */
export async function listDeployments(account: Account, script: string): Promise<readonly Deployment[]> {
  try {
    const { deployments } = await account.request<{ deployments: Deployment[] }>(
      "GET",
      `~/workers/scripts/${script}/deployments`,
    );
    return deployments;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

export async function setTrafficSplit(
  account: Account,
  script: string,
  shares: readonly TrafficShare[],
  message: string,
  { force = false } = {},
): Promise<void> {
  await account.request("POST", `~/workers/scripts/${script}/deployments${force ? "?force=true" : ""}`, {
    strategy: "percentage",
    versions: shares,
    annotations: { "workers/message": message.slice(0, 100) },
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
    if (!(error instanceof AccountError && error.codes.includes(SECRETS_CHANGED))) throw error;
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
      throw new Error(`${current} was itself gone back to. Name a version: npm run rollback -- VERSION`);
  }
  throw new Error("There is no version to roll back to: this is the first.");
}

interface VersionDetails {
  readonly resources: {
    readonly script?: { readonly etag?: string };
    readonly bindings?: readonly { readonly name: string; readonly type: string }[];
  };
}

/** What a version runs, as a text that is equal for versions that differ in their secrets only. */
export async function describeCode(
  account: Account,
  script: string,
  version: string,
): Promise<{ readonly code: string; readonly secrets: readonly string[] }> {
  const path = `~/workers/scripts/${script}/versions/${version}`;
  const { resources } = await account.request<VersionDetails>("GET", path);
  const { bindings = [] } = resources;
  const isSecret = ({ type }: { readonly type: string }) => type === "secret_text";
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
