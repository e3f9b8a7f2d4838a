/** How requests are split between versions of the worker. */
import type { Account } from "../account/client.ts";
import { isNotFound } from "../account/resources.ts";

export interface TrafficShare {
  readonly version_id: string;
  readonly percentage: number;
}

interface Deployment {
  readonly id: string;
  readonly created_on: string;
  readonly versions: readonly TrafficShare[];
}

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
): Promise<void> {
  await account.request("POST", `~/workers/scripts/${script}/deployments`, {
    strategy: "percentage",
    versions: shares,
    annotations: { "workers/message": message.slice(0, 100) },
  });
}

/** The last version that received all requests. Throws if there is none. */
export function stableVersion(deployments: readonly Deployment[]): string {
  const stable = deployments.map(versionWithAllRequests).find((version) => version !== undefined);
  if (!stable) throw new Error("No version has ever received all requests.");
  return stable;
}

/** The version to roll back to: during a rollout the one it started from, otherwise the one before the current version. */
export function previousVersion(deployments: readonly Deployment[]): string {
  const [latest] = deployments;
  const current = latest && versionWithAllRequests(latest);
  const previous = deployments
    .map(versionWithAllRequests)
    .find((version) => version !== undefined && version !== current);
  if (!previous) throw new Error("There is no version to roll back to: this is the first.");
  return previous;
}

function versionWithAllRequests({ versions }: Deployment): string | undefined {
  return versions.find(({ percentage }) => percentage === 100)?.version_id;
}
