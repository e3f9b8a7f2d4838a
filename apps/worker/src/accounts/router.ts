import {
  Credentials,
  LoginDigits,
  LoginToken,
  Registration,
  RegistrationResponse,
  SessionContext,
} from "@lambda/contract/accounts";
import { rolesOf } from "@lambda/contract/capabilities";
import { NOTIFICATIONS_COUNTED_MAX, UNREAD_CONVERSATIONS_COUNTED_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Context } from "../platform/context.ts";
import { AppError } from "../platform/errors.ts";
import { toIsoOrNull } from "../platform/iso-time.ts";
import { openCommand, openProcedure, router, visitorCommand } from "../platform/trpc.ts";
import { isNotificationListed, notBlockedBy } from "../visibility/visibility.ts";
import { hasProvedAge } from "./age/explicit-pictures.ts";
import { ageRule } from "./age/policy.ts";
import { logIn, logInWithLink } from "./login.ts";
import { logInWithDigits } from "./login-digits.ts";
import { requestLoginLink } from "./register.ts";
import { askAboutSecondAccount } from "./second-account.ts";
import { endSession } from "./sessions/sessions.ts";

const VISITOR: SessionContext = {
  loggedIn: false,
  profileId: null,
  profileName: "",
  hasBirthdate: false,
  roles: [],
  standing: null,
  hidden: false,
  discreet: false,
  sharingChosen: true,
  sharedOn: 0,
  explicitPictures: "open",
  locale: "en",
  unreadMessages: 0,
  notifications: 0,
};

async function getSessionContext(ctx: Context): Promise<SessionContext> {
  const { viewer, brand } = ctx;
  if (!viewer) return VISITOR;
  const { seeExplicit } = ageRule(ctx);
  const row = await ctx.db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select(["p.profile_name", "p.birthdate", "a.locale", "a.ts_sharing_chosen"])
    .select(sql<number>`p.shared_on | p.discreet_on`.as("shared_on"))
    .select(
      sql<number>`(select coalesce(sum(unread), 0) from (
        select c.unread from conversation c indexed by conversation_unread where c.profile_id = a.id and c.unread > 0
          and ${notBlockedBy(sql.ref("a.id"), sql.ref("c.other_id"))}
        limit ${sql.lit(UNREAD_CONVERSATIONS_COUNTED_MAX)}))`.as("unread"),
    )
    .select(
      sql<number>`(select count(*) from (
        select 1 from notification n where n.profile_id = a.id and ${isNotificationListed({ brand, viewer })}
        limit ${sql.lit(NOTIFICATIONS_COUNTED_MAX + 1)}))`.as("notifications"),
    )
    .select((seeExplicit === "open" ? sql<boolean>`1` : hasProvedAge({ ...ctx, viewer })).as("may_see_explicit"))
    .where("a.id", "=", viewer.profileId)
    .executeTakeFirstOrThrow();
  const { status, statusUntil } = viewer;
  return {
    loggedIn: true,
    profileId: viewer.profileId,
    profileName: row.profile_name,
    hasBirthdate: row.birthdate !== null,
    roles: rolesOf({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }),
    standing: status === "suspended" || status === "banned" ? { status, until: toIsoOrNull(statusUntil) } : null,
    hidden: viewer.hidden,
    discreet: viewer.discreet,
    sharingChosen: row.ts_sharing_chosen !== null,
    sharedOn: row.shared_on,
    explicitPictures: row.may_see_explicit ? "open" : seeExplicit,
    locale: row.locale,
    unreadMessages: row.unread,
    notifications: row.notifications,
  };
}

export const accountsRouter = router({
  /** POST /api/auth: username and password as a form or JSON; sets the session cookie. */
  login: visitorCommand("POST /auth", "Log in", { worksUnopened: true, status: 200 })
    .input(Credentials)
    .mutation(async ({ ctx, input }) => {
      const credentials = { email: input.username, password: input.password, remember: input.remember };
      askAboutSecondAccount(ctx, await logIn(ctx, credentials));
      return {};
    }),

  /** Logs in with the token of a login link: base64 of "email:code". An address contains no colon. */
  loginByToken: visitorCommand("POST /auth/token", "Log in by a login link", { worksUnopened: true, status: 200 })
    .input(LoginToken)
    .mutation(async ({ ctx, input }) => {
      const decoded = Buffer.from(input.token, "base64").toString();
      const colon = decoded.indexOf(":");
      if (colon < 1) throw new AppError("LINK_EXPIRED");
      const link = { email: decoded.slice(0, colon), code: decoded.slice(colon + 1), confirmed: input.confirmed };
      askAboutSecondAccount(ctx, await logInWithLink(ctx, link, input.remember));
      return {};
    }),

  /** Logs in with the six digits of the mail, on the page that requested it. */
  loginByDigits: visitorCommand("POST /auth/digits", "Log in by the digits of a mail", {
    worksUnopened: true,
    status: 200,
  })
    .input(LoginDigits)
    .mutation(async ({ ctx, input }) => {
      askAboutSecondAccount(ctx, await logInWithDigits(ctx, input));
      return {};
    }),

  /** POST /api/auth/register: mails a login link; 202 and a ticket whether or not the address is known. */
  register: openProcedure("POST /auth/register", "Request a login link by mail", { worksUnopened: true, status: 202 })
    .input(Registration)
    .output(RegistrationResponse)
    .mutation(async ({ ctx, input }) => ({ ticket: await requestLoginLink(ctx, input) })),

  logout: openCommand("POST /auth/logout", "End this session", {
    worksUnopened: true,
    status: 204,
    worksLocked: true,
    keepsSafe: true,
  }).mutation(async ({ ctx }) => {
    await endSession(ctx);
    return {};
  }),

  session: openProcedure("GET /session", "What the client must know of its own session", {
    worksUnopened: true,
    keepsSafe: true,
  })
    .output(SessionContext)
    .query(({ ctx }) => getSessionContext(ctx)),
});
