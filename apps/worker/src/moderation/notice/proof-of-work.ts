/** How hard the proof of work before a notice has to be: seconds for one notice, days for a flood. */
import {
  DAY_MS,
  HOUR_MS,
  NOTICE_CHALLENGES_PER_HOUR_NORMAL,
  NOTICES_PER_MAILBOX_NORMAL,
  NOTICES_PER_NETWORK_NORMAL,
  NOTICES_PER_SITE_NORMAL,
} from "@lambda/contract/limits";
import type { NoticeChallenge } from "@lambda/contract/notices";
import type { z } from "zod";
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { createChallenge } from "../../platform/proof-of-work.ts";
import { isNetworkWithinLimit, isWithinLimit } from "../../platform/rate-limits/limit.ts";

/** Not limited per network: otherwise one of its users could keep all others from filing. */
export async function createNoticeChallenge(ctx: Context, harder: number): Promise<z.output<typeof NoticeChallenge>> {
  return createChallenge(ctx, Math.max(harder, ctx.quotas && !(await isNormalLoad(ctx)) ? 1 : 0));
}

function isNormalLoad({ env }: Context): Promise<boolean> {
  return isWithinLimit(env, "notice-challenges", NOTICE_CHALLENGES_PER_HOUR_NORMAL, HOUR_MS);
}

/** How many times the normal number of notices a day takes the usual work, how many more eight times, and then 64 times the work. */
const STEP_FACTORS = [1, 10, 30];

/**
 * Counts a notice for its mailbox and its network. Throws TOO_MANY_REQUESTS for the field `proof` if they filed more than people do and
 * the work was not harder by enough steps, and without a field for a network that floods. A mailbox is never refused, because strangers
 * may have filed in its owner's name.
 */
export async function countNotice(ctx: Context, harder: number, email: string | undefined): Promise<void> {
  if (email !== undefined) {
    const name = `notice-mailbox:${mailboxOf(email)}`;
    await countInStep(harder, (step, factor) =>
      isWithinLimit(ctx.env, `${name}${step}`, factor * NOTICES_PER_MAILBOX_NORMAL, DAY_MS),
    );
  }
  const isReceived = await countInStep(harder, (step, factor) => {
    const max = { network: factor * NOTICES_PER_NETWORK_NORMAL, site: factor * NOTICES_PER_SITE_NORMAL };
    return isNetworkWithinLimit(ctx, `notices${step}`, max, DAY_MS);
  });
  if (!isReceived) throw new AppError("TOO_MANY_REQUESTS", { message: FLOOD, retryAfterSeconds: DAY_MS / 1000 });
}

/** Counts it in the first step that is not full; false if all are. */
async function countInStep(harder: number, count: (step: string, factor: number) => Promise<boolean>) {
  for (const [step, factor] of STEP_FACTORS.entries()) {
    if (harder < step)
      throw new AppError("TOO_MANY_REQUESTS", { field: "proof", reason: "TOO_EASY", message: TOO_EASY });
    if (await count(step === 0 ? "" : `-${step}`, factor)) return true;
  }
  return false;
}

const FLOOD =
  "Very many notices came from your network today. Use another network, try again tomorrow, or write to us.";
const TOO_EASY =
  "Many notices came from your network or for this address today. Request a harder challenge, solve it and send the notice again.";
