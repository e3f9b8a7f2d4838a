/** Which versions of the worker get which part of the requests. */
import type { Account } from "../account/client.ts";
import { isMissing } from "../account/resources.ts";

export interface VersionShare {
  readonly version_id: string;
  readonly percentage: number;
}

interface Deployment {
  readonly id: string;
  readonly created_on: string;
  readonly versions: readonly VersionShare[];
}

/** The newest first; none before the first deployment. */
export async function listDeployments(account: Account, script: string): Promise<readonly Deployment[]> {
  try {
    const { deployments } = await account.ask<{ deployments: Deployment[] }>(
      "GET",
      `~/workers/scripts/${script}/deployments`,
    );
    return deployments;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function setShares(
  account: Account,
  script: string,
  shares: readonly VersionShare[],
  message: string,
): Promise<void> {
  await account.ask("POST", `~/workers/scripts/${script}/deployments`, {
    strategy: "percentage",
    versions: shares,
    annotations: { "workers/message": message.slice(0, 100) },
  });
}

/** The version that had all requests last. Throws when none ever had. */
export function stableVersion(deployments: readonly Deployment[]): string {
  const whole = deployments.map(wholeVersion).find((version) => version !== undefined);
  if (!whole) throw new Error("No version has ever had all requests.");
  return whole;
}

/** The version to go back to: while a rollout is under way the one it began from, else the one before the one that runs. */
export function versionBefore(deployments: readonly Deployment[]): string {
  const [now] = deployments;
  const running = now && wholeVersion(now);
  const before = deployments.map(wholeVersion).find((version) => version !== undefined && version !== running);
  if (!before) throw new Error("There is no version to go back to: this is the first.");
  return before;
}

function wholeVersion({ versions }: Deployment): string | undefined {
  return versions.find(({ percentage }) => percentage === 100)?.version_id;
}
