import { toErrorResponse } from "../errors.ts";

/** Any thrown value as a REST answer; also used by the plain routes (uploads, pictures). */
export function errorResponse(ctx: { readonly responseHeaders: Headers } | undefined, error: unknown): Response {
  const { status, body, retryAfterSeconds } = toErrorResponse(error);
  if (status >= 500) console.error(JSON.stringify({ level: "error", error: describe(error) }));
  const headers = new Headers(ctx?.responseHeaders);
  headers.set("content-type", "application/json");
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(JSON.stringify(body), { status, headers });
}

/** For the log: where it happened, without values (a message can carry what a member typed). */
export function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return typeof cause;
  const stack = cause.stack
    ?.split("\n")
    .slice(1, 6)
    .map((line) => line.trim());
  return [cause.name, __DEVELOPMENT__ ? cause.message : "", ...(stack ?? [])].filter(Boolean).join(" | ");
}
