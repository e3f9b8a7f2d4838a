/** Which site a request asks for. In production a site has one address: everything else leads there or is refused. */
import { type Brand, resolveBrand } from "@lambda/brands";
import { findDevelopmentBrand } from "../development/hosts.ts";
import { AppError } from "../errors.ts";
import { errorResponse } from "./error-response.ts";

/** The address that a request names; undefined when it is malformed or names a user. */
export function readAddress(request: Request): URL | undefined {
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  return url.username === "" && url.password === "" ? url : undefined;
}

/** The brand of an address. Hosts of a developer's machine exist in development builds alone. */
export function findBrandOf(url: URL): Brand | undefined {
  return resolveBrand(url.hostname) ?? (__DEVELOPMENT__ ? findDevelopmentBrand(url.hostname) : undefined);
}

export function originOf(brand: Brand): string {
  return `https://${brand.hosts[0]}`;
}

/**
 * In production, the answer to whoever came to a site by plain http, a foreign port or another spelling of its host: a permanent
 * redirect for a look, a refusal for anything else, whose body has crossed the wire already. Undefined: the request is where it should be.
 */
export function leadToSite(request: Request, brand: Brand): Response | undefined {
  if (__DEVELOPMENT__) return undefined;
  const { origin, pathname, search } = new URL(request.url);
  const site = originOf(brand);
  if (origin === site) return undefined;
  if (request.method === "GET" || request.method === "HEAD") {
    return new Response(null, { status: 308, headers: { location: `${site}${pathname}${search}` } });
  }
  return errorResponse(undefined, new AppError("UNKNOWN_HOST", { message: `This site is served at ${site} alone.` }));
}
