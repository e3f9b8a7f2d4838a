import { toErrorResponse } from "../errors.ts";
import { logFault } from "../log.ts";

/** What of a request's context stands in its answer. A type of its own, since the context knows this folder. */
interface Answering {
  readonly responseHeaders: Headers;
  readonly requestId: string;
}

/**
 * Any thrown value as a REST answer; also used by the plain routes (uploads, pictures). `procedure` names in the log what was called.
 */
export function errorResponse(
  ctx: Answering | undefined,
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
