/**
 * The page that a visitor sees where nobody may join: it says why, in a language of their browser and the brand's
 * colors, without any script.
 */
import type { Context } from "../../platform/context.ts";
import { type AllowInline, plainPage } from "../../platform/documents/plain-page.ts";
import { LOGGED_IN_COOKIE, readCookie } from "../../platform/http/cookies.ts";
import { localeOf } from "../../platform/http/locale.ts";
import { escapeHtml } from "../../platform/mail/send-mail.ts";
import { ageCopy } from "./copy.ts";
import { ageRule } from "./policy.ts";

/** Pages that the law requires to be open to everybody, and the login for members. */
const OPEN_PATHS =
  /^\/(login|status|tos|contactus|aboutus|support|transparency|legalnotice|safety|notice|remove-image|sorry|logout)(\/|$)/;
const FILE_PATH = /\.[a-z0-9]+$/i;

/** Returns the page instead of a document that this visitor may not have here; undefined where they may. */
export async function closedPage(
  ctx: Pick<Context, "env" | "request" | "brand">,
  allowInline: AllowInline,
): Promise<Response | undefined> {
  const { pathname } = new URL(ctx.request.url);
  if (ageRule(ctx).join !== "closed" || readCookie(ctx.request, LOGGED_IN_COOKIE)) return undefined;
  if (OPEN_PATHS.test(pathname) || FILE_PATH.test(pathname)) return undefined;
  const { brand } = ctx;
  const locale = localeOf(ctx.request);
  const copy = ageCopy[locale];
  const text = escapeHtml;
  const body = `<h1>${text(copy.closedTitle(brand.name))}</h1>
<p>${text(copy.closedWhy(brand.name))}</p>
<p class="muted">${text(copy.closedStored)}</p>
<p>${text(copy.closedMembers)} <a href="/login">${text(copy.logIn)}</a></p>
<p>${text(copy.closedReport)} <a href="/support">${text(copy.contact)}</a><a href="/legalnotice">${text(copy.legalNotice)}</a><a href="/tos">${text(copy.terms)}</a></p>`;
  const headers = { "cache-control": "private, no-store", vary: "accept-language, cookie" };
  return plainPage({ brand, locale, title: brand.name, body, status: 451, headers }, allowInline);
}
