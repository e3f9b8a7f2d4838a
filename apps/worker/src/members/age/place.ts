import type { Context } from "../../platform/context.ts";
import { readCookie } from "../../platform/http/cookies.ts";

/** Where a request comes from, as Cloudflare's edge tells it. Read anew with each request; never stored and never logged. */
export interface Place {
  readonly country: string | undefined;
  /** Of the United States: the state's two letters. */
  readonly region: string | undefined;
}

export function placeOf({ request }: Pick<Context, "request">): Place {
  if (__DEVELOPMENT__) return pretendedPlace(request);
  const { country, regionCode } = (request.cf ?? {}) as { country?: string; regionCode?: string };
  return { country, region: regionCode };
}

/**
 * Development only: "GB" or "US-TX" in a header, for tests, or in a cookie, for a browser; nowhere without one. The edge that
 * `wrangler dev` plays is always in Texas.
 */
function pretendedPlace(request: Request): Place {
  const text = request.headers.get("x-development-place") ?? readCookie(request, "development_place") ?? "";
  const [country, region] = text.split("-");
  return { country: country || undefined, region };
}
