/** What a visitor sees of a brand that has not opened. */
import type { Brand } from "@lambda/brands";
import { defineCopy } from "@lambda/contract/copy";
import { LOGGED_IN_COOKIE, readCookie } from "../http/cookies.ts";
import { localeOf } from "../http/locale.ts";
import { escapeHtml } from "../mail/send-mail.ts";
import { type AllowInline, plainPage } from "./plain-page.ts";

const notOpenCopy = defineCopy({
  en: {
    title: (brand: string) => `${brand} is not open yet`,
    lead: "We're still getting ready. Come back later.",
    contact: "You reach us here:",
    team: "For the team:",
    logIn: "Log in",
  },
  es: {
    title: (brand) => `${brand} todavía no está abierto`,
    lead: "Todavía nos estamos preparando. Vuelve más tarde.",
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

export function notOpenPage(request: Request, brand: Brand, allowInline: AllowInline): Promise<Response> {
  const locale = localeOf(request);
  const copy = notOpenCopy[locale];
  const text = escapeHtml;
  const title = copy.title(brand.name);
  const address = text(brand.operatorAddress);
  const body = `<h1>${text(title)}</h1>
<p>${text(copy.lead)}</p>
<p>${text(copy.contact)} <a href="mailto:${address}">${address}</a></p>
<p class="muted">${text(copy.team)} <a href="/login">${text(copy.logIn)}</a></p>`;
  const headers = {
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    vary: "accept-language, cookie",
  };
  // No fault, which would raise an alert.
  return plainPage({ brand, locale, title, body, status: 403, headers }, allowInline);
}
