import { REQUEST_MAX_BYTES } from "@lambda/contract/limits";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { AppError } from "../errors.ts";

/**
 * Scripts, styles, fonts and data come from our own origin alone. blob: is what maplibre's worker and cropped pictures
 * use; 'wasm-unsafe-eval' is not needed. Style attributes are set through the CSSOM, which the policy allows.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every answer. A member's visit leaves no referrer anywhere, and no page of ours opens in a frame. */
export function addSecurityHeaders(headers: Headers, secure: boolean): void {
  headers.set("content-security-policy", CONTENT_SECURITY_POLICY);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set(
    "permissions-policy",
    "geolocation=(self), camera=(self), microphone=(), payment=(), usb=(), interest-cohort=()",
  );
  if (secure) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains; preload");
}

/** Throws FOREIGN_ORIGIN for a state-changing call that does not carry this site's own Origin, or a foreign socket. */
export function requireSameOrigin(request: Request): void {
  const socket = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  if (!socket && (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS")) return;
  // Scheme, host and port, as browsers write them: no other spelling of an origin is this site's.
  if (request.headers.get("origin") !== new URL(request.url).origin) throw new AppError("FOREIGN_ORIGIN");
}

const limited = bodyLimit({
  maxSize: REQUEST_MAX_BYTES,
  onError: () => {
    throw new AppError("TOO_LARGE", { message: "The request is too large." });
  },
});

/** Refuses a body that no call needs before anything reads it; uploads measure their own. */
export const limitBody = createMiddleware((c, next) =>
  c.req.method === "POST" && c.req.path === "/api/profile-pic" ? next() : limited(c, next),
);
