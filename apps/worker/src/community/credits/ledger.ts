import { CREDITS_ACCOUNT_AGE_MS, CREDITS_PER_DAY_MAX, DAY_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { CreditEntryTable } from "../../platform/db/tables.ts";

type CreditReason = CreditEntryTable["reason"];

/**
 * Books volunteer credits; profile.credits follows by trigger. The same thing is never paid twice, each reason pays at most
 * its day's cap, and games pay nobody who joined lately. Juries have a rule of their own on who may sit.
 *
 * @param unless no credits where this holds
 */
export function bookCredits(
  ctx: { readonly db: Database; readonly now: number },
  profileId: number,
  reason: CreditReason,
  ref: string,
  amount: number,
  unless?: RawBuilder<boolean>,
): Compiled {
  const since = ctx.now - (ctx.now % DAY_MS);
  return sql`insert into credit_entry (profile_id, amount, reason, ref, ts_created)
    select ${profileId}, ${amount}, ${reason}, ${ref}, ${ctx.now}
    where (select coalesce(sum(amount), 0) from credit_entry
      where profile_id = ${profileId} and ts_created >= ${since} and reason = ${reason}) + ${amount} <= ${CREDITS_PER_DAY_MAX[reason]}
      and (${reason} = 'jury' or exists (select 1 from account
        where id = ${profileId} and ts_created <= ${ctx.now - CREDITS_ACCOUNT_AGE_MS}))
      and not ${unless ?? sql`0`}
    on conflict (profile_id, reason, ref) do nothing returning amount`.compile(ctx.db);
}

/** The ledger's latest entries. */
export function listCredits(db: Database, profileId: number) {
  return db
    .selectFrom("credit_entry")
    .select(["amount", "reason", "ts_created"])
    .where("profile_id", "=", profileId)
    .orderBy("id", "desc")
    .limit(50)
    .execute();
}
