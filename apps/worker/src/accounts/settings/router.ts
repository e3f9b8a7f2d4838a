import { ALL_BRANDS_MASK, BRANDS } from "@lambda/brands";
import { rolesOf } from "@lambda/contract/capabilities";
import { DAY_MS, DISCREET_ENDED_PER_DAY_MAX, PASSWORD_CHANGES_PER_DAY_MAX } from "@lambda/contract/limits";
import { Discretion, EmailConfirmation, Settings, SettingsUpdate, Sharing } from "@lambda/contract/settings";
import { newestPushKey } from "../../notifications/push/push-keys.ts";
import { listSubscriptions, toPushSubscriptionEntry } from "../../notifications/push/queries.ts";
import { batch } from "../../platform/db/database.ts";
import { isFresh } from "../../platform/fresh.ts";
import { toIsoOrNull } from "../../platform/iso-time.ts";
import { composeMail, type PreparedMail, prepareMail } from "../../platform/mail/send-mail.ts";
import { countHit, enforceLimit, isWithinLimit, tooManyRequests } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, router, sessionCommand, sessionProcedure } from "../../platform/trpc.ts";
import { discloseOpenQuery, discloseSharedQueries } from "../../visibility/statements/disclosures.ts";
import { setDiscreetQueries } from "../../visibility/statements/discreet.ts";
import { checkPasswordStrength, hashPassword } from "../passwords.ts";
import { confirmOwner } from "../proofs/confirm-owner.ts";
import { closeEndedSockets, endAccessQueries, endEmailChangeQueries } from "../sessions/end-access.ts";
import { confirmEmailChange, limitEmailChange, requestEmailChange } from "./change-email.ts";
import { settingsMailCopy } from "./copy.ts";
import { getAccount, updateAccountQuery, updateSharingQueries } from "./queries.ts";

async function readSettings(ctx: MemberContext): Promise<Settings> {
  const { viewer, brand } = ctx;
  const [account, subscriptions] = await Promise.all([getAccount(ctx.db, viewer.profileId), listSubscriptions(ctx)]);
  return {
    defaultProfileId: account.id,
    name: account.name,
    email: account.email,
    emailPending: account.email_pending,
    hasPassword: account.password_hash !== null,
    tsExported: toIsoOrNull(account.ts_exported),
    roles: rolesOf({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }),
    applicationServerKey: newestPushKey(ctx.env),
    pushSubscriptions: subscriptions.map((row) => toPushSubscriptionEntry(row, viewer.sessionId)),
    homeBrand: account.home_brand,
    sharedOn: account.shared_on,
    discreet: account.discreet === 1,
    locale: account.locale,
    fresh: isFresh(viewer, ctx.now),
  };
}

/**
 * Throws TOO_MANY_REQUESTS. The first change of a session counts, and is never refused: somebody who used up the day's must not keep the owner
 * from ending that.
 */
async function limitPasswordChange({ env, viewer }: MemberContext): Promise<void> {
  const { profileId, sessionId } = viewer;
  const isFirst = await isWithinLimit(env, `password-session:${sessionId}`, 1, DAY_MS);
  const waitMs = await countHit(env, `password-change:${profileId}`, PASSWORD_CHANGES_PER_DAY_MAX, DAY_MS);
  if (waitMs > 0 && !isFirst) throw tooManyRequests(waitMs);
}

/** Sets a password and ends whatever else could let somebody in or lock the owner out, all in one batch. */
async function changePassword(
  ctx: MemberContext,
  password: string,
  { kept, mail }: { readonly kept: readonly number[]; readonly mail: PreparedMail },
): Promise<void> {
  const { viewer, now } = ctx;
  await batch(ctx.d1, [
    updateAccountQuery(ctx.db, viewer.profileId, { password_hash: await hashPassword(password) }),
    ...endAccessQueries(ctx.db, viewer.profileId, { now, keptSession: viewer.sessionId, kept, settles: true }),
    ...mail.queries,
  ]);
  ctx.waitUntil(mail.deliver());
  closeEndedSockets(ctx);
}

export const settingsRouter = router({
  get: sessionProcedure("GET /settings", "The member's own account")
    .output(Settings)
    .query(({ ctx }) => readSettings(ctx)),

  /** Changes name and language at once; password and address need a proof that it is the owner. */
  update: sessionProcedure("PUT /settings", "Change the account; absent fields are unchanged")
    .input(SettingsUpdate)
    .output(Settings)
    .mutation(async ({ ctx, input }) => {
      const { name, email, password, currentPassword, locale, keep } = input;
      const account = await getAccount(ctx.db, ctx.viewer.profileId);
      const newEmail = email !== undefined && email !== account.email ? email : undefined;
      // All checks come before the first write, so that a refused change changes nothing.
      if (password || newEmail) await confirmOwner(ctx, currentPassword, account.password_hash);
      if (password) await checkPasswordStrength(password);
      if (password) await limitPasswordChange(ctx);
      if (newEmail) await limitEmailChange(ctx);
      if (password) {
        const { brand } = ctx;
        const { subject, lead } = settingsMailCopy[locale ?? account.locale].passwordChanged;
        const warning = composeMail(brand, account.email, subject(brand.name), [lead(brand.operatorAddress)]);
        const mail = prepareMail(ctx.env, brand, warning, "passwordChanged", account.id);
        await changePassword(ctx, password, { kept: keep, mail });
      }
      if (newEmail) {
        const change = { email: newEmail, current: account.email, locale: locale ?? account.locale };
        await requestEmailChange(ctx, change);
      }
      if (name !== undefined || locale !== undefined) {
        await updateAccountQuery(ctx.db, account.id, { name, locale }).execute();
      }
      if (email === account.email && account.email_pending !== null) {
        await batch(ctx.d1, endEmailChangeQueries(ctx.db, account.id));
      }
      return readSettings(ctx);
    }),

  confirmEmail: sessionCommand("POST /settings/email-confirmation", "Use a new address", { status: 200 })
    .input(EmailConfirmation)
    .mutation(({ ctx, input }) => confirmEmailChange(ctx, input)),

  setSharing: sessionProcedure("PUT /settings/sharing", "Choose the sister brands that show the profile")
    .input(Sharing)
    .output(Sharing)
    .mutation(async ({ ctx, input }) => {
      const { home_brand } = await getAccount(ctx.db, ctx.viewer.profileId);
      // Existing brands alone, and always the home brand.
      const homeBit = BRANDS.find(({ id }) => id === home_brand)?.bit ?? 0;
      const sharedOn = (input.sharedOn & ALL_BRANDS_MASK) | homeBit;
      await batch(ctx.d1, [
        ...discloseSharedQueries(ctx, sharedOn & ~homeBit),
        ...updateSharingQueries(ctx.db, ctx.viewer.profileId, sharedOn, ctx.now),
      ]);
      return { sharedOn };
    }),

  setDiscreet: sessionProcedure(
    "PUT /settings/discreet",
    "Be seen only by members whom one likes, wrote to or opened the album to",
  )
    .input(Discretion)
    .output(Discretion)
    .mutation(async ({ ctx, input }) => {
      const { profileId } = ctx.viewer;
      // Turning it on again copies hundreds of rows; nothing may prevent turning it on.
      if (!input.discreet) await enforceLimit(ctx.env, `open:${profileId}`, DISCREET_ENDED_PER_DAY_MAX, DAY_MS);
      await batch(ctx.d1, [
        ...(input.discreet ? [] : [discloseOpenQuery(ctx)]),
        ...setDiscreetQueries(ctx.db, profileId, input.discreet, ctx.now),
      ]);
      return input;
    }),
});
