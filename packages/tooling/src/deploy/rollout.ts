/** Rolls out a new version step by step, and rolls it back automatically if a smoke test fails. */
import type { Account } from "../account/client.ts";
import { undoOnStop } from "../say-failures.ts";
import { goBack, listDeployments, setTrafficSplit, stableVersion } from "./deployments.ts";

export interface Rollout {
  readonly script: string;
  readonly version: string;
  /** Describes the deployment in the account. */
  readonly message: string;
  /** Percentages of requests, ascending to 100. */
  readonly steps: readonly number[];
  /** Throws if the new version does not work. */
  smoke(): Promise<void>;
  pause(): Promise<void>;
  readonly looks: number;
  say(line: string): void;
}

/** In between, each page and each of its files would be drawn anew, and a change would come and go. */
export const ROLLOUT_STEPS = [100] as const;
/** The smallest share that the platform accepts: one request in ten thousand, besides the smoke test's. */
const FIRST_STEP = 0.01;

/** Tests the new version at the smallest share first. Throws if it was rolled back, as after Ctrl-C. */
export const rollOut = (account: Account, rollout: Rollout) => undoOnStop(() => takeSteps(account, rollout));

async function takeSteps(account: Account, rollout: Rollout): Promise<void> {
  const { script, version, message, say } = rollout;
  const previous = stableVersion(await listDeployments(account, script));
  if (previous === version) return say(`${version} has all requests already.`);
  const setPercentage = (percentage: number) =>
    setTrafficSplit(
      account,
      script,
      [
        { version_id: version, percentage },
        ...(percentage === 100 ? [] : [{ version_id: previous, percentage: 100 - percentage }]),
      ],
      `${message}: ${percentage} %`,
    );
  try {
    for (const percentage of [FIRST_STEP, ...rollout.steps]) {
      await setPercentage(percentage);
      const looks = percentage === FIRST_STEP || percentage === 100 ? 1 : rollout.looks;
      say(
        `${percentage} % of the requests go to ${version}, which is tested ${looks === 1 ? "once" : `${looks} times`}.`,
      );
      for (let look = 0; look < looks; look += 1) {
        await rollout.pause();
        await rollout.smoke();
      }
    }
  } catch (error) {
    await goBack(account, script, previous, `${message}: taken back`);
    const { message: why } = error as Error;
    throw new Error(`${version} was taken back, and ${previous} has all requests again: ${why}`, { cause: error });
  }
}
