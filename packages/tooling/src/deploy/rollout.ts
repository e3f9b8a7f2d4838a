/** Brings a new version to members step by step, and takes it back by itself when it does not hold. */
import type { Account } from "../account/client.ts";
import { listDeployments, setShares, stableVersion } from "./deployments.ts";

export interface Rollout {
  readonly script: string;
  readonly version: string;
  /** What is said of it in the account. */
  readonly message: string;
  /** Percent of the requests, ascending; the last is 100. */
  readonly steps: readonly number[];
  /** Throws when the new version does not do what it should. */
  smoke(): Promise<void>;
  /** Waits between two looks. */
  pause(): Promise<void>;
  /** How often a step is looked at before the next. */
  readonly looks: number;
  say(line: string): void;
}

export const STEPS = [10, 50, 100] as const;

/** The new version is asked at 0 percent first, where only the smoke test reaches it. Throws after it was taken back. */
export async function rollOut(account: Account, rollout: Rollout): Promise<void> {
  const { script, version, message, say } = rollout;
  const before = stableVersion(await listDeployments(account, script));
  if (before === version) return say(`${version} has all requests already.`);
  const share = (percentage: number) =>
    setShares(
      account,
      script,
      [
        { version_id: version, percentage },
        ...(percentage === 100 ? [] : [{ version_id: before, percentage: 100 - percentage }]),
      ],
      `${message}: ${percentage} %`,
    );
  try {
    for (const percentage of [0, ...rollout.steps]) {
      await share(percentage);
      say(`${percentage} % of the requests go to ${version}.`);
      const looks = percentage === 0 || percentage === 100 ? 1 : rollout.looks;
      for (let look = 0; look < looks; look += 1) {
        await rollout.pause();
        await rollout.smoke();
      }
    }
  } catch (error) {
    await setShares(account, script, [{ version_id: before, percentage: 100 }], `${message}: taken back`);
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${version} was taken back, and ${before} has all requests again: ${why}`, { cause: error });
  }
}
