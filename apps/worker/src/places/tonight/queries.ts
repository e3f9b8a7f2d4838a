/** A member's night out: one row, which ends by itself and leaves no history. */
import { type MemberTonight, TONIGHT_WISHES, type TonightPlan } from "@lambda/contract/tonight";
import { bindNames, type Database, valuesOf } from "../../platform/db/database.ts";
import type { TonightRow } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import { type ViewerContext, visibleTo } from "../../visibility/visibility.ts";
import { isOutTonight } from "../positions/statements.ts";

export function toPlan({ wishes, ts_until }: Pick<TonightRow, "wishes" | "ts_until">): TonightPlan {
  return { wishes: TONIGHT_WISHES.filter((_, bit) => wishes & (1 << bit)), tsUntil: toIso(ts_until) };
}

export const toMemberTonight = (row: TonightRow): MemberTonight => ({ profileId: row.profile_id, ...toPlan(row) });

export function findOwnTonight(db: Database, profileId: number, now: number): Promise<TonightRow | undefined> {
  return db
    .selectFrom("tonight")
    .selectAll()
    .where("profile_id", "=", profileId)
    .where("ts_until", ">", now)
    .executeTakeFirst();
}

/** Those of the members who are out tonight and whom the viewer may see now. */
export function listTonight(
  db: Database,
  ctx: ViewerContext,
  profileIds: readonly number[],
  now: number,
): Promise<TonightRow[]> {
  return db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("tonight as t")
    .crossJoin("profile as p")
    .select(["t.profile_id", "t.wishes", "t.ts_until"])
    .whereRef("t.profile_id", "=", "asked.column1")
    .whereRef("p.id", "=", "asked.column1")
    .where(bindNames(isOutTonight("t.profile_id", "$now"), { now }))
    .where(visibleTo(ctx))
    .execute();
}

export async function upsertTonight(
  db: Database,
  profileId: number,
  plan: TonightPlan["wishes"],
  until: number,
): Promise<void> {
  const bits = plan.reduce((sum, wish) => sum | (1 << TONIGHT_WISHES.indexOf(wish)), 0);
  const values = { wishes: bits, ts_until: until };
  await db
    .insertInto("tonight")
    .values({ profile_id: profileId, ...values })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(values))
    .execute();
}

export async function deleteTonight(db: Database, profileId: number): Promise<void> {
  await db.deleteFrom("tonight").where("profile_id", "=", profileId).execute();
}
