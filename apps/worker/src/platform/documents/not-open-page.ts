/** What a visitor sees of a brand that has not opened. */
import type { Brand } from "@lambda/brands";
import { defineCopy } from "@lambda/contract/copy";
import { LOGGED_IN_COOKIE, readCookie } from "../http/cookies.ts";
import { localeOf } from "../http/locale.ts";
import { escapeHtml } from "../mail/compose.ts";
import { inlineHash, plainPageStyle } from "./plain-page.ts";

const notOpenCopy = defineCopy({
  en: {
    title: (brand: string) => `${brand} is not open yet`,
    lead: "We are still preparing. Please come back later.",
    contact: "You reach us here:",
    team: "For the team:",
    logIn: "Log in",
  },
  es: {
    title: (brand) => `${brand} todavía no está abierto`,
    lead: "Aún lo estamos preparando. Vuelve más adelante.",
    contact: "Nos encuentras aquí:",
    team: "Para el equipo:",
    logIn: "Entrar",
  },
});

/** Registration, login and their files, what watches the site, what checks access itself, and the page of a friend, which needs a secret link. */
const PASSES =
  /^\/(login|register|age|logout|status|api\/(?!openapi)[^?]*|trpc|ws|meet|assets|icons|dev|manifest\.webmanifest|sw\.js|version_frontend\.json|\.well-known)(\/|$)/;

/**
 * What visitors may have of a brand that has not opened. Devices that are logged in learn from each call whether they may.
 *
 * @param path decoded, as the routes compare it: an escaped letter must not open what is closed
 */
export function passesUnopened(request: Request, path: string): boolean {
  return PASSES.test(path) || readCookie(request, LOGGED_IN_COOKIE) !== undefined;
}

export async function notOpenPage(
  request: Request,
  brand: Brand,
  allowInline: (hashes: { script: string; style: string }) => void,
): Promise<Response> {
  const style = plainPageStyle(brand);
  allowInline({ script: await inlineHash(""), style: await inlineHash(style) });
  return new Response(renderPage(brand, localeOf(request), style), {
    // No fault, which would raise an alert.
    status: 403,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
      vary: "accept-language, cookie",
    },
  });
}

function renderPage({ name, mark, operatorAddress }: Brand, locale: keyof typeof notOpenCopy, style: string): string {
  const copy = notOpenCopy[locale];
  const text = escapeHtml;
  return `<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text(copy.title(name))}</title><style>${style}</style>
<main><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${text(mark)}"/></svg>
<h1>${text(copy.title(name))}</h1>
<p>${text(copy.lead)}</p>
<p>${text(copy.contact)} <a href="mailto:${text(operatorAddress)}">${text(operatorAddress)}</a></p>
<p class="muted">${text(copy.team)} <a href="/login">${text(copy.logIn)}</a></p>
</main></html>`;
}
