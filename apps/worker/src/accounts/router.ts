import {
  Credentials,
  LoginDigits,
  LoginToken,
  Registration,
  RegistrationResponse,
  SessionContext,
} from "@lambda/contract/accounts";
import { EmptyObject } from "@lambda/contract/primitives";
import { AppError } from "../platform/errors.ts";
import { openProcedure, router, visitorProcedure } from "../platform/trpc.ts";
import { logIn, logInWithLink } from "./login.ts";
import { logInWithDigits } from "./login-digits.ts";
import { requestLoginLink } from "./register.ts";
import { askAboutSecondAccount, type NotifyMember } from "./second-account.ts";
import { getSessionContext } from "./session-context.ts";
import { endSession } from "./sessions/sessions.ts";

/** `notify` is passed in, because notifications belong to a higher layer. */
export const createAccountsRouter = (notify: NotifyMember) =>
  router({
    /** POST /api/auth: username and password as a form or JSON; sets the session cookie. */
    login: visitorProcedure("POST /auth", "Log in", { worksUnopened: true, status: 200 })
      .input(Credentials)
      .output(EmptyObject)
      .mutation(async ({ ctx, input }) => {
        const credentials = { email: input.username, password: input.password, remember: input.remember };
        askAboutSecondAccount(ctx, await logIn(ctx, credentials), notify);
        return {};
      }),

    /** Logs in with the token of a login link: base64 of "email:code". An address contains no colon. */
    loginByToken: visitorProcedure("POST /auth/token", "Log in by a login link", { worksUnopened: true, status: 200 })
      .input(LoginToken)
      .output(EmptyObject)
      .mutation(async ({ ctx, input }) => {
        const decoded = Buffer.from(input.token, "base64").toString();
        const colon = decoded.indexOf(":");
        if (colon < 1) throw new AppError("LINK_EXPIRED");
        const link = { email: decoded.slice(0, colon), code: decoded.slice(colon + 1), confirmed: input.confirmed };
        askAboutSecondAccount(ctx, await logInWithLink(ctx, link, input.remember), notify);
        return {};
      }),

    /** Logs in with the six digits of the mail, on the page that requested it. */
    loginByDigits: visitorProcedure("POST /auth/digits", "Log in by the digits of a mail", {
      worksUnopened: true,
      status: 200,
    })
      .input(LoginDigits)
      .output(EmptyObject)
      .mutation(async ({ ctx, input }) => {
        askAboutSecondAccount(ctx, await logInWithDigits(ctx, input), notify);
        return {};
      }),

    /** POST /api/auth/register: mails a login link; 202 and a ticket whether or not the address is known. */
    register: openProcedure("POST /auth/register", "Request a login link by mail", { worksUnopened: true, status: 202 })
      .input(Registration)
      .output(RegistrationResponse)
      .mutation(async ({ ctx, input }) => ({ ticket: await requestLoginLink(ctx, input) })),

    logout: openProcedure("POST /auth/logout", "End this session", {
      worksUnopened: true,
      status: 204,
      worksLocked: true,
      keepsSafe: true,
    })
      .output(EmptyObject)
      .mutation(async ({ ctx }) => {
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
