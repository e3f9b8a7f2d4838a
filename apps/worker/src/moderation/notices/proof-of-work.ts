/** How hard the proof of work before a notice has to be: seconds for one notice, days for a flood. */
import {
  DAY_MS,
  HOUR_MS,
  NOTICE_CHALLENGES_PER_HOUR_NORMAL,
  NOTICE_WORK_STEPS_MAX,
  NOTICES_OF_FLOODS_PER_STEP,
  NOTICES_PER_MAILBOX_NORMAL,
  NOTICES_PER_NETWORK_NORMAL,
  NOTICES_PER_SITE_NORMAL,
} from "@lambda/contract/limits";
import type { NoticeChallenge } from "@lambda/contract/notices";
import type { z } from "zod";
import { mailboxOf } from "../../accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { createChallenge } from "../../platform/proof-of-work.ts";
import {
  giveBack,
  giveBackNetwork,
  isNetworkWithinLimit,
  isWithinLimit,
  ONE_HIT,
} from "../../platform/rate-limits/limit.ts";

/** Not limited per network: otherwise one of its users could keep all others from filing. */
export async function createNoticeChallenge(ctx: Context, harder: number): Promise<z.output<typeof NoticeChallenge>> {
  const isBusy =
    ctx.quotas && !(await isWithinLimit(ctx.env, "notice-challenges", NOTICE_CHALLENGES_PER_HOUR_NORMAL, HOUR_MS));
  return createChallenge(ctx, Math.max(harder, isBusy ? 1 : 0));
}

/** How many times the normal number of notices a day takes the usual work, and how many more eight times that. */
const STEP_FACTORS = [1, 10];

/**
 * Counts a notice for its mailbox and its network. Throws TOO_MANY_REQUESTS for the field `proof` if they filed more than people do and
 * the work was not harder by enough steps. Nobody is refused for what others of a mailbox or network filed: beyond 64 times the work, all
 * networks that flood share steps without end in practice, which bounds what their notices cost (docs/SCALE.md).
 */
export async function countNotice(ctx: Context, harder: number, email: string | undefined): Promise<void> {
  if (email !== undefined) {
    const name = `notice-mailbox:${mailboxOf(email)}`;
    await countInStep(harder, STEP_FACTORS.length, (step) =>
      countsWithin(ctx, `${name}${suffixOf(step)}`, STEP_FACTORS[step]! * NOTICES_PER_MAILBOX_NORMAL),
    );
  }
  await countInStep(harder, NOTICE_WORK_STEPS_MAX, async (step) => {
    const factor = STEP_FACTORS[step];
    if (factor === undefined)
      return isWithinLimit(ctx.env, `notices-of-floods${suffixOf(step)}`, NOTICES_OF_FLOODS_PER_STEP, DAY_MS);
    const max = { network: factor * NOTICES_PER_NETWORK_NORMAL, site: factor * NOTICES_PER_SITE_NORMAL };
    const name = `notices${suffixOf(step)}`;
    const isWithin = await isNetworkWithinLimit(ctx, name, max, DAY_MS);
    if (isWithin) ctx.undo.push(() => giveBackNetwork(ctx, name));
    return isWithin;
  });
}

/** A notice that is refused takes nothing. */
async function countsWithin({ env, undo }: Context, name: string, max: number): Promise<boolean> {
  const isWithin = await isWithinLimit(env, name, max, DAY_MS);
  if (isWithin) undo.push(() => giveBack(env, name, ONE_HIT));
  return isWithin;
}

const suffixOf = (step: number) => (step === 0 ? "" : `-${step}`);

/** Counts it in the first step that is not full; the last step never is. */
async function countInStep(harder: number, last: number, isCounted: (step: number) => Promise<boolean>): Promise<void> {
  for (let step = 0; step <= last; step += 1) {
    if (harder < step)
      throw new AppError("TOO_MANY_REQUESTS", { field: "proof", reason: "TOO_EASY", message: TOO_EASY });
    if (step === last || (await isCounted(step))) return;
  }
}

const TOO_EASY =
  "Many notices came from your network or for this address today. Request a harder challenge, solve it and send the notice again.";
