/** Query queries on a case and its appeals, to run in one batch. */
import { sql } from "kysely";
import type { Query } from "../../platform/db/batch.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { Effect, Outcome } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";

type EffectOf<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;
type Writer = Pick<NotifyContext, "db" | "now">;

/** Aborts the batch if a concurrent change to the case was faster. */
export function requireStillQuery(
  { db }: Writer,
  { id, juryId }: CaseHeader,
  still: EffectOf<"require">["still"],
): Query {
  const conditions = {
    undecided: sql<boolean>`exists (select 1 from report where id = ${id} and state <> 'decided')`,
    waiting: sql<boolean>`exists (select 1 from report where id = ${id} and state = 'staff')`,
    juryOpen: sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`,
    appealWaiting: sql<boolean>`exists (select 1 from appeal where report_id = ${id} and jury_id is null and result is null)`,
  };
  return guardQuery(db, conditions[still]);
}

export function decideQuery({ db, now }: Writer, { id }: CaseHeader, outcome: Outcome): Query {
  return db.updateTable("report").set({ state: "decided", outcome, ts_decided: now }).where("id", "=", id);
}

/** The anonymous summary of the case that later jurors can search. */
export function precedentQuery(
  { db, now }: Writer,
  { id, brand, rule }: CaseHeader,
  { outcome, summary }: EffectOf<"recordPrecedent">,
): Query {
  const decided = { outcome, summary, ts_decided: now };
  return db
    .insertInto("precedent")
    .values({ report_id: id, brand, category: rule, ...decided })
    .onConflict((conflict) => conflict.column("report_id").doUpdateSet(decided));
}

export function openAppealQuery(
  { db, now }: Writer,
  { id }: CaseHeader,
  { side, profileId, text, round }: EffectOf<"openAppeal">,
): Query {
  const jury = sql<number>`(select id from jury where report_id = ${id} and round = ${round})`;
  const jury_id = round === null ? null : jury;
  return db.insertInto("appeal").values({ report_id: id, side, profile_id: profileId, text, jury_id, ts_created: now });
}

export function closeAppealQuery(
  { db, now }: Writer,
  { id }: CaseHeader,
  { side, result }: EffectOf<"closeAppeal">,
): Query {
  return db.updateTable("appeal").set({ result, ts_decided: now }).where("report_id", "=", id).where("side", "=", side);
}

export function markOverturnedQuery(
  { db }: Writer,
  { id }: CaseHeader,
  { round, verdict }: EffectOf<"markOverturned">,
): Query {
  return db
    .updateTable("juror_record")
    .set({ overturned: sql<number>`overturned + 1` })
    .where("profile_id", "in", (earlier) =>
      earlier
        .selectFrom("juror as r")
        .innerJoin("jury as j", "j.id", "r.jury_id")
        .select("r.profile_id")
        .where("j.report_id", "=", id)
        .where("j.round", "<", round)
        .where("r.with_majority", "=", 1)
        .where("j.verdict", "<>", verdict),
    );
}
