import type { Registration } from "@lambda/contract/accounts";
import {
  LOGIN_CODE_TTL_MS,
  LOGIN_LINKS_PER_EMAIL_MAX,
  LOGIN_LINKS_PER_IP_MAX,
  LOGIN_LINKS_PER_MAILBOX_MAX,
  LOGIN_LINKS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { z } from "zod";
import type { Context } from "../../context.ts";
import { sendMail } from "../mail/send-mail.ts";
import { limit } from "../rate-limits/limit.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import { loginMail } from "./login-mail.ts";
import { insertLoginCode } from "./queries.ts";

/**
 * Sends a login link; the account is made when the link is used. Nothing here looks the address up, so neither the answer
 * nor its timing can tell whether it is known. Throws TOO_MANY_REQUESTS for one network; a flooded mailbox gets the same answer
 * and no mail. What one network asked for an address is counted by itself, so that nobody uses up a member's own links.
 */
export async function requestLoginLink(ctx: Context, registration: z.output<typeof Registration>): Promise<void> {
  const { email, acknowledgements, locale } = registration;
  await limit(ctx.env, `link-ip:${ctx.ip}`, LOGIN_LINKS_PER_IP_MAX, LOGIN_LINKS_WINDOW_MS);
  ctx.waitUntil(sendLoginLink(ctx, email, acknowledgements, locale));
}

async function sendLoginLink(
  ctx: Context,
  email: string,
  acknowledgements: string,
  locale: "en" | "es",
): Promise<void> {
  try {
    await limit(ctx.env, `link:${ctx.ip}:${email}`, LOGIN_LINKS_PER_EMAIL_MAX, LOGIN_LINKS_WINDOW_MS);
    await limit(ctx.env, `link-mailbox:${email}`, LOGIN_LINKS_PER_MAILBOX_MAX, LOGIN_LINKS_WINDOW_MS);
  } catch {
    return;
  }
  const code = newToken();
  await insertLoginCode(ctx.db, {
    code_hash: await hashToken(code),
    email,
    brand: ctx.brand.id,
    locale,
    acknowledgements,
    ts_expires: ctx.now + LOGIN_CODE_TTL_MS,
  });
  const token = Buffer.from(`${email}:${code}`).toString("base64url");
  await sendMail(
    ctx.env,
    ctx.brand,
    loginMail(ctx.brand, locale, email, `${new URL(ctx.request.url).origin}/login?token=${token}`),
  );
}
