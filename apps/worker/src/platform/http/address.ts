/** Which site a request asks for. In production a site has one address: everything else leads there or is refused. */
import { type Brand, resolveBrand } from "@lambda/brands";
import { findDevelopmentBrand } from "../development/hosts.ts";
import { AppError } from "../errors.ts";
import { errorResponse } from "./error-response.ts";

/** Which site a request asks for, or why it gets none of its pages. */
export interface Site {
  readonly url: URL | undefined;
  readonly brand: Brand | undefined;
  readonly refusal: Response | undefined;
}

/** A malformed address is bad input; a well-formed one that no brand has is misdirected, and told no brand's name. */
export function findSite(request: Request): Site {
  const url = readAddress(request);
  const brand = url && findBrandOf(url);
  if (!url) return { url, brand, refusal: errorResponse(undefined, new AppError("BAD_INPUT", { field: "host" })) };
  if (!brand) return { url, brand, refusal: unknownHostResponse() };
  return { url, brand, refusal: leadToSite(request, brand) };
}

/** The address that a request names; undefined when it is malformed or names a user. */
function readAddress(request: Request): URL | undefined {
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  return url.username === "" && url.password === "" ? url : undefined;
}

/** The brand of an address. Hosts of a developer's machine exist in development builds alone. */
function findBrandOf(url: URL): Brand | undefined {
  return resolveBrand(url.hostname) ?? (__DEVELOPMENT__ ? findDevelopmentBrand(url.hostname) : undefined);
}

export function originOf(brand: Brand): string {
  return `https://${brand.hosts[0]}`;
}

/**
 * In production, the answer to plain http, a foreign port or another spelling of the host: a permanent redirect for a GET, a
 * refusal for anything else, whose body has crossed the wire already. Undefined where the request is right.
 */
function leadToSite(request: Request, brand: Brand): Response | undefined {
  if (__DEVELOPMENT__) return undefined;
  const { origin, pathname, search } = new URL(request.url);
  const site = originOf(brand);
  if (origin === site) return undefined;
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, { status: 308, headers: { location: `${site}${pathname}${search}` } });
  }
  return errorResponse(undefined, new AppError("UNKNOWN_HOST", { message: `This site is served at ${site} alone.` }));
}

/** The page for a host that is no brand; it names none. */
function unknownHostResponse(): Response {
  return new Response(
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>421</title><h1>Nothing here</h1><p>This address is not served here.</p></html>',
    { status: 421, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );
}
