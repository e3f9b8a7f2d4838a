/**
 * The image transformations of a day, which cost the site more than everything else: a budget for all, with shares that keep a few members, or
 * many new accounts, from using up everybody's.
 */
import {
  DAY_MS,
  IMAGE_WORK_FIRST,
  IMAGE_WORK_FIRST_SHARE,
  IMAGE_WORK_MEMBER_MAX,
  IMAGE_WORK_MEMBER_NEW_MAX,
  IMAGE_WORK_NETWORK_SHARE,
  IMAGE_WORK_NEW_MS,
  IMAGE_WORK_NEW_SHARE,
  IMAGE_WORK_PER_DAY_MAX,
  IMAGE_WORK_PER_UPLOAD,
} from "@lambda/contract/limits";
import type { Context } from "../context.ts";
import type { Env } from "../env.ts";
import { sha256 } from "../hash.ts";
import { logFault } from "../log.ts";
import { count } from "../metrics/counts.ts";
import type { Charge, Refusal } from "../objects.ts";
import { budgetFactor, capsFactor, getLimiter, giveBack } from "./limit.ts";

export type ImageWorkContext = Pick<Context, "env" | "db" | "quotas"> & Partial<Pick<Context, "undo">>;

/** Whose share of the day is used up, and for how long. */
export interface ImageWorkRefusal {
  readonly of: "member" | "site";
  readonly waitMs: number;
}

/**
 * Counts transformations of a member's pictures; undefined if they may be made. If the counter does not respond, they may: uploads have
 * limits of their own.
 *
 * @param network of an upload. Without one it is a width that somebody requests, which takes nothing from its owner.
 */
export async function spendImageWork(
  { env, db, quotas, undo }: ImageWorkContext,
  ownerId: number,
  amount: number,
  network?: string,
): Promise<ImageWorkRefusal | undefined> {
  if (!quotas) return undefined;
  const now = Date.now();
  const account = await db.selectFrom("account").select("ts_created").where("id", "=", ownerId).executeTakeFirst();
  const isNew = !account || now - account.ts_created < IMAGE_WORK_NEW_MS;
  const total = IMAGE_WORK_PER_DAY_MAX * budgetFactor(env);
  const charge = (name: string, max: number): Charge => ({ name, amount, max, windowMs: DAY_MS });
  const charges = [charge("all", total)];
  if (isNew) charges.push(charge("new", total * IMAGE_WORK_NEW_SHARE));
  if (network !== undefined) {
    charges.unshift(charge(`member:${ownerId}`, isNew ? IMAGE_WORK_MEMBER_NEW_MAX : IMAGE_WORK_MEMBER_MAX));
  }
  const first = charge(`first:${ownerId}`, network === undefined ? 0 : IMAGE_WORK_FIRST);
  const further = [charge("further", total * (1 - IMAGE_WORK_FIRST_SHARE))];
  if (isNew) further.push(charge("new-further", total * IMAGE_WORK_NEW_SHARE * (1 - IMAGE_WORK_FIRST_SHARE)));
  // Strangers of a member's network must not keep them from a first picture.
  if (isNew && network !== undefined)
    further.push(charge(`network:${await sha256(network)}`, total * IMAGE_WORK_NETWORK_SHARE * capsFactor(env)));
  const day = Math.floor(now / DAY_MS);
  let refusal: Refusal | null;
  try {
    const limiter = await getLimiter(env, dayName(now));
    let counted = [...charges, first];
    refusal = await limiter.spend(counted);
    if (refusal?.name === first.name) {
      counted = [...charges, ...further];
      refusal = await limiter.spend(counted);
    }
    // Undone for files that cannot be read, which cost nothing.
    if (!refusal && network !== undefined) undo?.push(() => giveBack(env, dayName(now), counted));
    if (!refusal && (await limiter.spend([charge("half", total / 2)]))) count("imagesOverHalf");
  } catch (error) {
    logFault({ event: "image-work" }, error);
    return undefined;
  }
  return refusal
    ? { of: refusal.name.startsWith("member:") ? "member" : "site", waitMs: (day + 1) * DAY_MS - now }
    : undefined;
}

/** An object for each day of the calendar, which deletes itself after its last window. */
const dayName = (now: number) => `image-work:${Math.floor(now / DAY_MS)}`;

/** Takes back from a member's own share what a deleted upload took, while the site's was really spent. */
export function giveBackImageWork(env: Env, ownerId: number, now: number): Promise<void> {
  return giveBack(env, dayName(now), [{ name: `member:${ownerId}`, amount: IMAGE_WORK_PER_UPLOAD }]);
}
