import { getBrand } from "@lambda/brands";
import { sql } from "kysely";
import { batch } from "../../platform/db/batch.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { announce } from "../../social/notifications/announce.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { detectionOf, filedBy } from "../action/detection.ts";
import { statementMail } from "../action/statement-mail.ts";
import { withAudit } from "../audit/log.ts";
import type { CaseAction, CaseEvent, Effect } from "../case/case.ts";
import { step } from "../case/step.ts";
import type { CaseHead } from "./find-case.ts";
import { prepare } from "./prepare.ts";

/**
 * Moves a case on: asks the state machine, runs the effects as one batch, and tells whom they concern. Answers the effects and
 * the rows of each query. Throws IllegalTransition, and the failed guard (see `failedGuard`) when somebody else was faster.
 */
export async function moveCase(ctx: NotifyContext, found: CaseHead, event: CaseEvent): Promise<Moved> {
  const { effects } = step(found.state, event, ctx.now);
  return { effects, rows: await runEffects(ctx, found, effects) };
}

/** Runs effects as one batch, and announces the notices among them. Answers the rows of each query. */
export async function runEffects(
  asked: NotifyContext,
  found: CaseHead,
  effects: readonly Effect[],
): Promise<unknown[][]> {
  // Members hear of a case on its own brand, whichever brand it was decided from.
  const ctx = { ...asked, brand: getBrand(found.brand) };
  const { queries, events, notified } = await prepare(ctx, found, effects);
  const rows = events.length > 0 ? await withAudit(ctx, queries, events) : await batch<unknown[][]>(ctx.d1, queries);
  for (const { profileId, kind } of notified) announce(ctx, profileId, kind);
  for (const effect of effects) {
    if (effect.type === "takeAction") ctx.waitUntil(mailStatement(ctx, found, effect.action));
  }
  return rows;
}

/** Who is shut out is told by mail as well: they may never look at their record again. */
async function mailStatement(ctx: NotifyContext, { subjectId, caseRef }: CaseHead, action: CaseAction): Promise<void> {
  if (action.kind !== "suspend" && action.kind !== "ban") return;
  const { env, db, brand, now } = ctx;
  const member = await db
    .selectFrom("account")
    .select(["email", "locale"])
    .select(filedBy(sql`${caseRef}`).as("filed_by"))
    .where("id", "=", subjectId)
    .where("email", "like", "%@%")
    .executeTakeFirst();
  if (!member) return;
  await sendMail(env, brand, statementMail(brand, member, action, { detection: detectionOf(member.filed_by), now }));
}

export interface Moved {
  readonly effects: readonly Effect[];
  readonly rows: unknown[][];
}

/** Whether the subject's account was acted on, so that open sockets may have to close. */
export function changesStatus(effects: readonly Effect[]): boolean {
  return effects.some(({ type }) => type === "takeAction" || type === "liftActions");
}
