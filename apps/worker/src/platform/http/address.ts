/** Resolves the site of a request. In production each site has one origin; requests to other spellings are redirected or rejected. */
import { type Brand, resolveBrand } from "@lambda/brands";
import { findDevelopmentBrand } from "../development/hosts.ts";
import { AppError } from "../errors.ts";
import { errorResponse } from "./error-response.ts";

/**
 * The requested site, or the response that rejects or redirects the request. An unknown host, or one that is none, is misdirected and does
 * not learn any brand's name.
 */
export function findSite(request: Request) {
  const url = parseUrl(request);
  // Local hosts exist only in development builds.
  const brand =
    url && (resolveBrand(url.hostname) ?? (__DEVELOPMENT__ ? findDevelopmentBrand(url.hostname) : undefined));
  if (!url || !brand) return { url, brand, refusal: unknownHostResponse() };
  return { url, brand, refusal: redirectToSite(request, url, brand) };
}

/** The request's URL; undefined if it is malformed or contains credentials. */
function parseUrl(request: Request): URL | undefined {
  const url = URL.parse(request.url);
  return url?.username === "" && url.password === "" ? url : undefined;
}

export function originOf(brand: Brand): string {
  return `https://${brand.hosts[0]}`;
}

/**
 * In production, the response to plain http, another port or another spelling of the host: a permanent redirect for GET and HEAD, an error
 * for other methods, whose body was already sent. Undefined if the origin is right.
 */
function redirectToSite(request: Request, { origin, pathname, search }: URL, brand: Brand): Response | undefined {
  if (__DEVELOPMENT__) return undefined;
  const site = originOf(brand);
  if (origin === site) return undefined;
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, { status: 308, headers: { location: `${site}${pathname}${search}` } });
  }
  return errorResponse(undefined, new AppError("UNKNOWN_HOST", { message: `This site is served at ${site} alone.` }));
}

const ESCAPED_FRAGMENT = /^(\/(?!(?:api|trpc|ws)\b)[^%]*)%(?:25)*23(.*)$/;

/**
 * Sends a browser to the link whose # a messenger escaped, so that its page finds the secret in the fragment again. It was sent to us, but
 * no log has a path.
 */
export function restoreFragment(method: string, url: URL | undefined): Response | undefined {
  if (method !== "GET" || !url) return undefined;
  const { origin, pathname, search } = url;
  const [, path, fragment] = ESCAPED_FRAGMENT.exec(pathname) ?? [];
  if (path === undefined) return undefined;
  return new Response(null, {
    status: 302,
    headers: { location: `${origin}${path}${search}#${fragment}`, "cache-control": "no-store" },
  });
}

/** The page for an unknown host; it names no brand. */
function unknownHostResponse(): Response {
  return new Response(
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>421</title><h1>Nothing here</h1><p>This address is not served here.</p></html>',
    { status: 421, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );
}
