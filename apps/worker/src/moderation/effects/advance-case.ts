import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { statementParts } from "@lambda/contract/statement";
import { sql } from "kysely";
import { announce, type NotifyContext } from "../../notifications/notify.ts";
import { onBrand } from "../../platform/context.ts";
import { batch, type Query } from "../../platform/db/database.ts";
import { originOf } from "../../platform/http/address.ts";
import { composeMail, formatDay, type PreparedMail, prepareMail } from "../../platform/mail/send-mail.ts";
import { closeSockets } from "../action/actions.ts";
import { moderationCopy } from "../action/copy.ts";
import { selectFiler, toDetection } from "../action/detection.ts";
import { withAudit } from "../audit/log.ts";
import type { CaseAction, CaseEvent, Effect } from "../case/case.ts";
import { step } from "../case/step.ts";
import type { CaseHeader } from "./find-case.ts";
import { prepareEffects } from "./prepare-effects.ts";

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
  const mails = await prepareStatements(ctx, found, effects);
  const queries = [...createQueries, ...prepared.queries, ...mails.flatMap((mail) => mail.queries)];
  const rows = events.length > 0 ? await withAudit(ctx, queries, events) : await batch(ctx.d1, queries);
  for (const { profileId, kind } of notified) announce(ctx, profileId, kind);
  for (const { deliver } of mails) ctx.waitUntil(deliver());
  // Open sockets and maps must agree with the subject's account status.
  if (effects.some(({ type }) => type === "takeAction" || type === "liftActions"))
    await closeSockets(ctx, found.subjectId);
  return rows.slice(createQueries.length);
}

/** Mails with the statement of reasons, to a suspended or banned member, who may never open their own record again. */
async function prepareStatements(
  ctx: NotifyContext,
  found: CaseHeader,
  effects: readonly Effect[],
): Promise<PreparedMail[]> {
  const actions = effects.flatMap((effect) => (effect.type === "takeAction" ? [effect.action] : []));
  const severe = actions.filter(({ kind }) => kind === "suspend" || kind === "ban");
  const mails = await Promise.all(severe.map((action) => prepareStatement(ctx, found, action)));
  return mails.flatMap((mail) => mail ?? []);
}

async function prepareStatement(
  { env, db, brand, now }: NotifyContext,
  { subjectId, caseRef }: CaseHeader,
  { kind, rule, reason, until, by }: CaseAction,
): Promise<PreparedMail | undefined> {
  const member = await db
    .selectFrom("account")
    .select(["email", "locale"])
    .select(selectFiler(sql`${caseRef}`).as("filed_by"))
    .where("id", "=", subjectId)
    .where("email", "like", "%@%")
    .executeTakeFirst();
  if (!member) return undefined;
  const { email, locale } = member;
  const statement = {
    ...{ kind, rule, reason, detection: toDetection(member.filed_by), byJury: by === "jury" },
    until: until === null ? null : formatDay(locale, until),
    appealUntil: formatDay(locale, now + APPEAL_WINDOW_MS),
  };
  const parts = statementParts(statement, ruleCopy[locale][rule], locale);
  const subject = moderationCopy[locale].statementSubject(brand.name);
  const mail = composeMail(brand, email, subject, [...parts, { link: `${originOf(brand)}/games/dungeon` }]);
  return prepareMail(env, brand, mail, "statement");
}
