import type { CreditLedger } from "@lambda/contract/games";
import { CREDITS_ACCOUNT_AGE_MS, CREDITS_PER_DAY_MAX, DAY_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { type Database, insertIf, type Query } from "../../platform/db/database.ts";
import type { CreditEntryTable } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";

const ENTRIES_SHOWN = 50;

/**
 * Awards volunteer credits: nothing is paid twice, each reason has a daily cap, and games do not pay new accounts. A trigger updates
 * profile.credits.
 *
 * @param unless a condition under which no credits are awarded
 */
export function awardCreditsQuery(
  ctx: { readonly db: Database; readonly now: number },
  profileId: number,
  reason: CreditEntryTable["reason"],
  ref: string,
  amount: number,
  unless?: RawBuilder<boolean>,
): Query {
  const dayStart = ctx.now - (ctx.now % DAY_MS);
  const entry = { profile_id: profileId, amount, reason, ref, ts_created: ctx.now };
  const awardedToday = sql<number>`(select coalesce(sum(amount), 0) from credit_entry
    where profile_id = ${profileId} and ts_created >= ${dayStart} and reason = ${reason})`;
  const isOldEnough = sql<boolean>`exists (select 1 from account
    where id = ${profileId} and ts_created <= ${ctx.now - CREDITS_ACCOUNT_AGE_MS})`;
  const conditions = [
    sql<boolean>`${awardedToday} <= ${CREDITS_PER_DAY_MAX[reason] - amount}`,
    ...(reason === "jury" ? [] : [isOldEnough]),
    ...(unless ? [sql<boolean>`not ${unless}`] : []),
  ];
  return insertIf(ctx.db, "credit_entry", entry, ({ and }) => and(conditions))
    .onConflict((conflict) => conflict.columns(["profile_id", "reason", "ref"]).doNothing())
    .returning("amount");
}

export async function readCredits({ db, viewer }: MemberContext): Promise<z.output<typeof CreditLedger>> {
  const [entries, { credits }] = await Promise.all([
    db
      .selectFrom("credit_entry")
      .select(["amount", "reason", "ts_created"])
      .where("profile_id", "=", viewer.profileId)
      .orderBy("id", "desc")
      .limit(ENTRIES_SHOWN)
      .execute(),
    db.selectFrom("profile").select("credits").where("id", "=", viewer.profileId).executeTakeFirstOrThrow(),
  ]);
  return {
    credits,
    entries: entries.map(({ amount, reason, ts_created }) => ({ amount, reason, tsCreated: toIso(ts_created) })),
  };
}
