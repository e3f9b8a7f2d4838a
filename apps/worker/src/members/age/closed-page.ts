/** What a visitor sees where nobody may join: why, in a language of their browser, in the brand's colours, without any script. */
import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import type { Context } from "../../platform/context.ts";
import { hashOfInline, localeOf, plainPageStyle } from "../../platform/documents/plain-page.ts";
import { LOGGED_IN_COOKIE, readCookie } from "../../platform/http/cookies.ts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import { ageCopy } from "./copy.ts";
import { ageRule } from "./policy.ts";

/** What the law asks to keep open to everybody, and the way in of those who are members. */
const STAYS_OPEN =
  /^\/(login|status|tos|contactus|aboutus|support|transparency|legalnotice|safety|notice|remove-image|sorry|logout)(\/|$)/;
/** Files of the application that those pages are made of. */
const IS_FILE = /\.[a-z0-9]+$/i;

/** The page for a document that this visitor may not have here; undefined where they may. */
export async function closedPage(
  ctx: Pick<Context, "env" | "request" | "brand">,
  allowInline: (hashes: { script: string; style: string }) => void,
): Promise<Response | undefined> {
  const { pathname } = new URL(ctx.request.url);
  if (ageRule(ctx).join !== "closed" || readCookie(ctx.request, LOGGED_IN_COOKIE)) return undefined;
  if (STAYS_OPEN.test(pathname) || IS_FILE.test(pathname)) return undefined;
  const style = plainPageStyle(ctx.brand);
  allowInline({ script: await hashOfInline(""), style: await hashOfInline(style) });
  return new Response(draw(ctx.brand, localeOf(ctx.request), style), {
    status: 451,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      vary: "accept-language, cookie",
    },
  });
}

function draw({ name, mark }: Brand, locale: Locale, style: string): string {
  const copy = ageCopy[locale];
  const text = escapeHtml;
  return `<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text(name)}</title><style>${style}</style>
<main><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${text(mark)}"/></svg>
<h1>${text(copy.closedTitle(name))}</h1>
<p>${text(copy.closedWhy(name))}</p>
<p class="muted">${text(copy.closedStored)}</p>
<p>${text(copy.closedMembers)} <a href="/login">${text(copy.logIn)}</a></p>
<p>${text(copy.closedReport)} <a href="/support">${text(copy.contact)}</a><a href="/legalnotice">${text(copy.legalNotice)}</a><a href="/tos">${text(copy.terms)}</a></p>
</main></html>`;
}
