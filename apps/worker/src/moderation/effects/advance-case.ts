import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { type Detection, statementParts } from "@lambda/contract/statement";
import { sql } from "kysely";
import { onBrand } from "../../platform/context.ts";
import { batch, type Query } from "../../platform/db/batch.ts";
import { originOf } from "../../platform/http/address.ts";
import { composeMail, formatDay, type Mail } from "../../platform/mail/compose.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { announce } from "../../social/notifications/announce.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { closeSockets, type NewAction } from "../action/actions.ts";
import { moderationCopy } from "../action/copy.ts";
import { selectFiler, toDetection } from "../action/detection.ts";
import { withAudit } from "../audit/log.ts";
import type { CaseAction, CaseEvent, Effect } from "../case/case.ts";
import { step } from "../case/step.ts";
import type { CaseHeader } from "./find-case.ts";
import { prepareEffects } from "./prepare-effects.ts";

type StatedAction = Pick<NewAction, "kind" | "rule" | "reason" | "until" | "by">;

/** The statement of reasons as a mail, for a member who may never log in again to read it in their own record. */
function statementMail(
  brand: Brand,
  to: { readonly email: string; readonly locale: Locale },
  { kind, rule, reason, until, by }: StatedAction,
  { detection, now }: { readonly detection: Detection; readonly now: number },
): Mail {
  const { locale } = to;
  const parts = statementParts(
    {
      kind,
      rule,
      reason,
      detection,
      until: until === null ? null : formatDay(locale, until),
      byJury: by === "jury",
      appealUntil: formatDay(locale, now + APPEAL_WINDOW_MS),
    },
    ruleCopy[locale][rule],
    locale,
  );
  const subject = moderationCopy[locale].statementSubject(brand.name);
  return composeMail(brand, to.email, subject, [...parts, { link: `${originOf(brand)}/games/dungeon` }]);
}

/**
 * Applies an event to a case: runs the transition's effects as one batch, notifies the members concerned, and returns
 * the effects and the rows of each query. Throws IllegalTransition, or the failed guard (see `isGuardFailure`) if a
 * concurrent change was faster.
 */
export async function advanceCase(ctx: NotifyContext, found: CaseHeader, event: CaseEvent): Promise<unknown[][]> {
  const { effects } = step(found.state, event, ctx.now);
  return runEffects(ctx, found, effects);
}

/**
 * Runs effects as one batch, announces their notifications and updates open sockets and maps. Returns the rows of each
 * effect's queries; before them, the batch runs the queries that create a new case.
 */
export async function runEffects(
  caller: NotifyContext,
  found: CaseHeader,
  effects: readonly Effect[],
  createQueries: readonly Query[] = [],
): Promise<unknown[][]> {
  // Members are notified on the case's own brand, whichever brand the decision came from.
  const ctx = onBrand(caller, found.brand);
  const prepared = await prepareEffects(ctx, found, effects);
  const { events, notified } = prepared;
  const queries = [...createQueries, ...prepared.queries];
  const rows = events.length > 0 ? await withAudit(ctx, queries, events) : await batch(ctx.d1, queries);
  for (const { profileId, kind } of notified) announce(ctx, profileId, kind);
  for (const effect of effects) {
    if (effect.type === "takeAction") ctx.waitUntil(mailStatement(ctx, found, effect.action));
  }
  if (changesAccountStatus(effects)) await closeSockets(ctx, found.subjectId);
  return rows.slice(createQueries.length);
}

/** Mails the statement of reasons to a suspended or banned member, who may never open their own record again. */
async function mailStatement(
  ctx: NotifyContext,
  { subjectId, caseRef }: CaseHeader,
  action: CaseAction,
): Promise<void> {
  if (action.kind !== "suspend" && action.kind !== "ban") return;
  const { env, db, brand, now } = ctx;
  const member = await db
    .selectFrom("account")
    .select(["email", "locale"])
    .select(selectFiler(sql`${caseRef}`).as("filed_by"))
    .where("id", "=", subjectId)
    .where("email", "like", "%@%")
    .executeTakeFirst();
  if (!member) return;
  await sendMail(env, brand, statementMail(brand, member, action, { detection: toDetection(member.filed_by), now }));
}

/** Whether the effects can change the subject's account status, with which open sockets and maps must agree. */
function changesAccountStatus(effects: readonly Effect[]): boolean {
  return effects.some(({ type }) => type === "takeAction" || type === "liftActions");
}
