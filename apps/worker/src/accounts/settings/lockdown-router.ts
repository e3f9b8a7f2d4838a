import {
  DAY_MS,
  LOCKDOWN_CHANGES_PER_DAY_MAX,
  LOCKDOWN_DEVICES_MAX,
  UNLOCKS_PER_IP_MAX,
  UNLOCKS_PER_SITE_MAX,
  UNLOCKS_WINDOW_MS,
} from "@lambda/contract/limits";
import { Lockdown, LockdownSignal, normalizeRecoveryWords, RecoveryWords, Unlocked } from "@lambda/contract/lockdown";
import { Id } from "@lambda/contract/primitives";
import type { CurveKey } from "@lambda/geo/curve";
import { z } from "zod";
import { deliverToMember } from "../../platform/call-object.ts";
import type { Context } from "../../platform/context.ts";
import { batch, passesGuards } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { requireFresh } from "../../platform/fresh.ts";
import { composeMail, type PreparedMail, prepareMail, siteLink } from "../../platform/mail/send-mail.ts";
import { notifySquares } from "../../platform/map/squares.ts";
import { enforceLimit, isNetworkWithinLimit } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, openCommand, router, sessionCommand, sessionProcedure } from "../../platform/trpc.ts";
import {
  deleteLockdownSignal,
  findLockdown,
  isLockdownToken,
  lockDownQueries,
  putLockdownSignalQueries,
  upsertRecoveryWordsQuery,
} from "../lockdown/queries.ts";
import { markKnownDevice } from "../login-devices.ts";
import { hashPassword } from "../passwords.ts";
import { deviceLabel } from "../sessions/device-label.ts";
import { deleteRecoveryWordsQuery } from "../sessions/end-access.ts";
import { hashToken } from "../sessions/tokens.ts";
import { settingsMailCopy } from "./copy.ts";
import { getAccount } from "./queries.ts";

/** A lock-down shuts its member out, so a phone found unlocked must not suffice to prepare one. */
async function requireOwner({ env, viewer, now }: MemberContext): Promise<void> {
  requireFresh(viewer, now);
  await enforceLimit(env, `lockdown:${viewer.profileId}`, LOCKDOWN_CHANGES_PER_DAY_MAX, DAY_MS);
}

type Owner = Awaited<ReturnType<typeof getAccount>>;

/** Sent for every change, so that nobody else can prepare one unnoticed. It names neither, since others may read the mailbox. */
function prepareWarning(ctx: MemberContext, { email, locale }: Owner, kind: "signal" | "words"): PreparedMail {
  const { subject, leads, stop, action, keep } = settingsMailCopy[locale].lockdown;
  const lead = leads[kind](deviceLabel(ctx.request.headers.get("user-agent") ?? ""));
  const parts = [lead, stop, { link: siteLink(ctx, "/settings#sessions"), action }, keep];
  const mail = composeMail(ctx.brand, email, subject(ctx.brand.name), parts);
  const cause = kind === "signal" ? "lockdownSignal" : "lockdownWords";
  return prepareMail(ctx.env, ctx.brand, mail, cause, ctx.viewer.profileId);
}

/**
 * Locks down the account of a prepared token. Any other token runs the same statements, until its network has sent too
 * many: then it is only looked up, and the response is still the same.
 */
async function lockDown(ctx: Context, token: string): Promise<void> {
  const tokenHash = await hashToken(token);
  const max = { network: UNLOCKS_PER_IP_MAX, site: UNLOCKS_PER_SITE_MAX };
  const isWithinMax = await isNetworkWithinLimit(ctx, "unlock-ip", max, UNLOCKS_WINDOW_MS);
  if (!isWithinMax && !(await isLockdownToken(ctx.db, tokenHash))) return;
  const results = await batch(ctx.d1, lockDownQueries(ctx.db, tokenHash, ctx.now));
  const [hidden] = results[1] as { id: number; shared_on: number; discreet_on: number; key: CurveKey | null }[];
  const [locked] = results.at(-2) as { account_id: number }[];
  if (locked) {
    ctx.changes.concerned.push(locked.account_id);
    // On an event without content, the object finds that the sessions have ended and closes the sockets.
    ctx.waitUntil(deliverToMember(ctx.env, locked.account_id, [], null));
  }
  if (hidden) {
    const { id, shared_on: was, discreet_on: few, key } = hidden;
    ctx.waitUntil(notifySquares(ctx.env, [[[key], { id, was, few }]], null));
  }
}

async function prepareSignal(ctx: MemberContext, tokenHash: string, hours: number): Promise<void> {
  const account = await getAccount(ctx.db, ctx.viewer.profileId);
  const signal = {
    account_id: account.id,
    token_hash: new Uint8Array(Buffer.from(tokenHash, "hex")),
    hours,
    device_hash: await hashToken(markKnownDevice(ctx, account.email)),
    session_id: ctx.viewer.sessionId,
    device_label: deviceLabel(ctx.request.headers.get("user-agent") ?? ""),
    ts_created: ctx.now,
  };
  const mail = prepareWarning(ctx, account, "signal");
  if (!(await passesGuards(batch(ctx.d1, [...putLockdownSignalQueries(ctx.db, signal), ...mail.queries]))))
    throw new AppError("BAD_INPUT", {
      field: "tokenHash",
      message: `${LOCKDOWN_DEVICES_MAX} devices can lock this account already. Remove one in the list of your devices.`,
    });
  ctx.waitUntil(mail.deliver());
}

async function setWords(ctx: MemberContext, words: string): Promise<void> {
  const account = await getAccount(ctx.db, ctx.viewer.profileId);
  const wordsHash = await hashPassword(normalizeRecoveryWords(words) ?? "");
  const mail = prepareWarning(ctx, account, "words");
  await batch(ctx.d1, [upsertRecoveryWordsQuery(ctx.db, account.id, { wordsHash, now: ctx.now }), ...mail.queries]);
  ctx.waitUntil(mail.deliver());
}

/**
 * Only a fresh proof shows what a member prepared: somebody who holds the unlocked phone must not learn that there is a
 * second PIN.
 */
export const lockdownRouter = router({
  /**
   * Called by a device after each PIN, with or without a session. A prepared token hides its member, ends their
   * sessions, pushes and sockets, and makes every login fail; any other token does nothing, with the same work and the
   * same response.
   */
  unlocked: openCommand("POST /unlock", "This device was unlocked", {
    worksUnopened: true,
    status: 204,
    worksLocked: true,
    keepsSafe: true,
  })
    .input(Unlocked)
    .mutation(async ({ ctx, input }) => {
      await lockDown(ctx, input.token);
      // Pictures of other members must not stay in the cache of a device that needs a PIN.
      ctx.responseHeaders.set("clear-site-data", '"cache"');
    }),

  prepare: sessionCommand("POST /lockdown-signal", "Prepare a second PIN", { status: 204 })
    .input(LockdownSignal)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      await prepareSignal(ctx, input.tokenHash, input.hours);
    }),

  setWords: sessionCommand("PUT /recovery-words", "Words that end a lock-down", { status: 204 })
    .input(RecoveryWords)
    .mutation(async ({ ctx, input }) => {
      await requireOwner(ctx);
      await setWords(ctx, input.words);
    }),

  list: sessionProcedure("GET /lockdown", "What could lock this account; needs a fresh proof")
    .output(Lockdown)
    .query(({ ctx }) => {
      requireFresh(ctx.viewer, ctx.now);
      return findLockdown(ctx.db, ctx.viewer.profileId);
    }),

  removeSignal: sessionCommand("DELETE /lockdown-signal/{id}", "Withdraw a device's second PIN")
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      requireFresh(ctx.viewer, ctx.now);
      if (!(await deleteLockdownSignal(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
    }),

  removeWords: sessionCommand("DELETE /recovery-words", "Withdraw the recovery words").mutation(async ({ ctx }) => {
    requireFresh(ctx.viewer, ctx.now);
    await batch(ctx.d1, [deleteRecoveryWordsQuery(ctx.db, ctx.viewer.profileId)]);
  }),
});
