/**
 * The friend's page, the same document for every link and without a site's name, so that a URL does not reveal whether there is a plan;
 * its own script renders it. If the operator has a neutral host for it, that host serves nothing else.
 */
import type { FriendPageFiles } from "@lambda/contract/friend-page";
import { newestPushKey } from "../../notifications/push/push-keys.ts";
import type { Env } from "../../platform/env.ts";
import { localeOf } from "../../platform/http/locale.ts";
import { escapeHtml } from "../../platform/mail/send-mail.ts";
import { meetsCopy } from "./copy.ts";

const PAGE = /^\/meet\/[A-Za-z0-9_-]{22}$/;
const FILES = /^\/(meet\/(page\.js|page\.css|wake\.js)|assets\/(friend-[\w-]+\.js|[\w-]+\.css))$/;
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

/** Of this version, since the next request may be answered by another one. Without a build, as in development, names without a hash. */
async function findFiles(request: Request, { ASSETS }: Pick<Env, "ASSETS">): Promise<FriendPageFiles> {
  const file = await ASSETS.fetch(new URL("/meet/files.json", request.url));
  if (file.ok && file.headers.get("content-type")?.startsWith("application/json")) return file.json<FriendPageFiles>();
  await file.body?.cancel();
  return { script: "/meet/page.js", style: "/meet/page.css" };
}

export async function friendPageResponse(
  request: Request,
  env: Pick<Env, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY" | "ASSETS">,
): Promise<Response> {
  const { script, style } = await findFiles(request, env);
  const locale = localeOf(request);
  const copy = meetsCopy[locale];
  const page = `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${escapeHtml(copy.pageTitle)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(style)}"></head>
<body><main id="page" data-push-key="${escapeHtml(newestPushKey(env))}"><h1>${escapeHtml(copy.pageTitle)}</h1><p>${escapeHtml(copy.needsScript)}</p></main>
<script type="module" src="${escapeHtml(script)}"></script></body></html>`;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow, noarchive",
      vary: "accept-language",
    },
  });
}
