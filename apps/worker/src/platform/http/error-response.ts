import { toErrorResponse } from "../errors.ts";
import { logFault } from "../log.ts";

/** The part of the request context needed here; importing Context would create an import cycle. */
interface ResponseContext {
  readonly responseHeaders: Headers;
  readonly requestId: string;
}

/**
 * The REST response for any thrown value, also for plain routes such as uploads. Logs internal errors with their `place`.
 */
export function errorResponse(
  ctx: ResponseContext | undefined,
  error: unknown,
  place: { readonly procedure?: string; readonly route?: string; readonly id?: string } = {},
): Response {
  const { status, body, retryAfterSeconds } = toErrorResponse(error);
  if (status >= 500) logFault({ id: ctx?.requestId, ...place }, error);
  const headers = new Headers(ctx?.responseHeaders);
  headers.set("content-type", "application/json");
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(JSON.stringify(body), { status, headers });
}
