/** What is read of a jury before it is closed: its case, what stands, and what a decision would change. */
import type { JurySanction } from "@lambda/contract/arbitration";
import { JURY_SANCTIONS } from "@lambda/contract/arbitration";
import { DAY_MS, JURY_ALONE_POOL_MIN, JURY_ALONE_TESTED_MIN } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { Decision, JuryRecord } from "../case/rules.ts";
import { isWithdrawn } from "../evidence/withdrawn.ts";

/** A jury with its case and the appeal it sits on. */
export function findJury({ db }: NotifyContext, juryId: number) {
  return db
    .selectFrom("jury as j")
    .innerJoin("report as r", "r.id", "j.report_id")
    .innerJoin("profile as p", "p.id", "r.subject_id")
    .leftJoin("appeal as a", "a.jury_id", "j.id")
    .select(["j.id", "j.report_id", "j.round", "j.state", "j.pool"])
    .select(["r.case_ref", "r.brand", "r.subject_id", "r.category", "r.outcome", "r.state as case_state"])
    .select(["r.source", "r.source_id", "r.ts_created", "p.profile_name", "a.side"])
    .select(sql<number>`(select count(*) from juror v where v.jury_id = j.id and v.state = 'summoned')`.as("waiting"))
    .where("j.id", "=", juryId)
    .executeTakeFirst();
}

export type Jury = NonNullable<Awaited<ReturnType<typeof findJury>>>;

/** What a decision would change. */
export interface Effect {
  readonly isViolation: boolean;
  readonly wasViolation: boolean;
  readonly sanction: JurySanction | null;
  readonly pictureId: number | null;
  readonly before: Awaited<ReturnType<typeof standingActions>>;
  /** Whether the decision differs from what holds. */
  readonly changes: boolean;
  readonly milder: boolean;
  readonly record: JuryRecord;
}

export async function findEffect(ctx: NotifyContext, jury: Jury, decision: Decision): Promise<Effect> {
  const pictureId = await pictureOf(ctx, jury);
  const sanction = decision.sanction === "hide_picture" && pictureId === null ? "warn" : decision.sanction;
  const before = await standingActions(ctx, jury.report_id);
  const wasViolation = jury.outcome !== null && jury.outcome !== "none";
  const isViolation = decision.verdict === "violation";
  const milder = wasViolation && isViolation && sanction !== null && isMilder(before, sanction, ctx.now);
  const changes = jury.round === 1 || wasViolation !== isViolation || (milder && jury.side === "subject");
  const record = await readRecord(ctx, jury);
  return { isViolation, wasViolation, sanction, pictureId, before, changes, milder, record };
}

/** How juries of this brand did, as far as it can make a difference. */
async function readRecord({ db }: NotifyContext, jury: Jury): Promise<JuryRecord> {
  if (jury.pool < JURY_ALONE_POOL_MIN) return { pool: jury.pool, tested: 0, confirmed: 0 };
  const { rows } = await sql<{ tested: number; confirmed: number }>`
    select count(*) as tested, coalesce(sum(outcome in ('suspend', 'ban')), 0) as confirmed from (
      select r.outcome from jury j join report r on r.id = j.report_id
      where j.round = 1 and j.sanction in ('suspend_7', 'suspend_30') and r.brand = ${jury.brand} and r.state = 'decided'
      order by j.id desc limit ${sql.lit(JURY_ALONE_TESTED_MIN)})`.execute(db);
  return { pool: jury.pool, tested: rows[0]?.tested ?? 0, confirmed: rows[0]?.confirmed ?? 0 };
}

/** Jurors who voted on it may have seen more than those after: staff, who still have all of it, decide. */
export async function hasWithdrawnEvidence({ db }: NotifyContext, reportId: number): Promise<boolean> {
  const row = await db
    .selectFrom("evidence as e")
    .select("e.id")
    .where("e.report_id", "=", reportId)
    .where("e.staff_only", "=", 0)
    .where(isWithdrawn("e"))
    .executeTakeFirst();
  return row !== undefined;
}

/** Actions of a case that still stand. */
export function standingActions(ctx: Pick<NotifyContext, "db">, reportId: number) {
  return ctx.db
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id", "ts_until"])
    .where("report_id", "=", reportId)
    .where("ts_lifted", "is", null)
    .execute();
}

function isMilder(
  before: readonly { kind: string; ts_until: number | null }[],
  sanction: JurySanction,
  now: number,
): boolean {
  const weights = before.map((action) => {
    if (action.kind === "ban") return JURY_SANCTIONS.length;
    if (action.kind !== "suspend") return JURY_SANCTIONS.indexOf(action.kind as JurySanction);
    const days = ((action.ts_until ?? 0) - now) / DAY_MS;
    return JURY_SANCTIONS.indexOf(days > 8 ? "suspend_30" : days > 4 ? "suspend_7" : "suspend_3");
  });
  return weights.length > 0 && JURY_SANCTIONS.indexOf(sanction) < Math.max(...weights);
}

/** The picture that a case is about, or that is among its evidence; null when its owner deleted it meanwhile. */
async function pictureOf({ db }: NotifyContext, jury: Jury): Promise<number | null> {
  const candidates =
    jury.source === "picture"
      ? sql`select ${jury.source_id}`
      : sql`select source_id from evidence where report_id = ${jury.report_id} and kind = 'picture' and staff_only = 0`;
  const { rows } = await sql<{ id: number }>`
    select id from picture where id in (${candidates}) and profile_id = ${jury.subject_id} order by id limit 1`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}
