/**
 * The friend's page, the same document for every link and without a site's name, so that a URL does not reveal whether there is a plan;
 * its own script renders it. If the operator has a neutral host for it, that host serves nothing else.
 */
import { newestPushKey } from "../../notifications/push/push-keys.ts";
import type { Env } from "../../platform/env.ts";
import { localeOf } from "../../platform/http/locale.ts";
import { escapeHtml } from "../../platform/mail/send-mail.ts";
import { meetsCopy } from "./copy.ts";

const PAGE = /^\/meet\/[A-Za-z0-9_-]{22}$/;
const FILES = /^\/meet\/(page\.js|page\.css|wake\.js)$/;
const CALLS = /^\/api\/meet\/(read|subscribe|answer)$/;

export const isFriendPage = (path: string): boolean => PAGE.test(path);

/** The origin of the neutral host, if there is one. Throws for an invalid value, as broken links would be noticed too late. */
export function friendOrigin({ MEET_ORIGIN }: Pick<Env, "MEET_ORIGIN">): string | undefined {
  if (!MEET_ORIGIN) return undefined;
  if (!URL.canParse(MEET_ORIGIN) || new URL(MEET_ORIGIN).origin !== MEET_ORIGIN) {
    throw new Error("MEET_ORIGIN: is not an origin like https://host");
  }
  return MEET_ORIGIN;
}

/** "none" for a request to another host; otherwise whether the neutral host serves the path. */
export function classifyFriendRequest(request: Request, env: Env): "none" | "served" | "refused" {
  const origin = friendOrigin(env);
  if (!origin || !URL.canParse(request.url) || new URL(request.url).origin !== origin) return "none";
  const { pathname } = new URL(request.url);
  return [PAGE, FILES, CALLS].some((pattern) => pattern.test(pathname)) ? "served" : "refused";
}

export function friendPageResponse(
  request: Request,
  env: Pick<Env, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY">,
): Response {
  const locale = localeOf(request);
  const copy = meetsCopy[locale];
  const page = `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${escapeHtml(copy.pageTitle)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/meet/page.css"></head>
<body><main id="page" data-push-key="${escapeHtml(newestPushKey(env))}"><h1>${escapeHtml(copy.pageTitle)}</h1><p>${escapeHtml(copy.needsScript)}</p></main>
<script type="module" src="/meet/page.js"></script></body></html>`;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow, noarchive",
      vary: "accept-language",
    },
  });
}
