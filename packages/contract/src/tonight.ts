/** "Out until 1 AM: coffee, drink": for some hours, in fixed words, so that nothing has to be moderated and no place is told. */
import { z } from "zod";
import { ProfileIds, Time } from "./primitives.ts";

export const TONIGHT_WISHES = ["coffee", "drink", "dance", "walk", "now"] as const;
export const TonightWish = z.enum(TONIGHT_WISHES);
export type TonightWish = z.infer<typeof TonightWish>;

/** PUT /api/tonight. The end is rounded up to a quarter of an hour. */
export const TonightPlan = z.object({ wishes: z.array(TonightWish).min(1).max(TONIGHT_WISHES.length), tsUntil: Time });
export type TonightPlan = z.infer<typeof TonightPlan>;

/** GET /api/tonight/among */
export const TonightQuery = z.object({ profileIds: ProfileIds });

export const MemberTonight = TonightPlan.extend({ profileId: z.number().int() });
export type MemberTonight = z.infer<typeof MemberTonight>;
