import type { Context } from "../../platform/context.ts";
import { readCookie } from "../../platform/http/cookies.ts";

/**
 * Where a request comes from, as Cloudflare's edge reports it. Read again on every request; never stored and never
 * logged.
 */
export interface Place {
  readonly country: string | undefined;
  /** Two-letter code of the state, in the United States only. */
  readonly region: string | undefined;
}

export function placeOf({ request }: Pick<Context, "request">): Place {
  if (__DEVELOPMENT__) return developmentPlace(request);
  const { country, regionCode } = (request.cf ?? {}) as { country?: string; regionCode?: string };
  return { country, region: regionCode };
}

/**
 * Development only: "GB" or "US-TX" from a header (tests) or a cookie (browsers), otherwise no place: `wrangler dev`
 * always reports Texas.
 */
function developmentPlace(request: Request): Place {
  const text = request.headers.get("x-development-place") ?? readCookie(request, "development_place") ?? "";
  const [country, region] = text.split("-");
  return { country: country || undefined, region };
}
