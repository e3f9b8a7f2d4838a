import { REQUEST_MAX_BYTES } from "@lambda/contract/limits";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { AppError } from "../errors.ts";

/** Hashes of the one script and the one style that a prerendered document carries. */
export interface InlineVariables {
  readonly inlineHashes?: { readonly script: string; readonly style: string };
}

/** Our own files, and what stands in this very document. */
const ownAndInline = (kind: "script" | "style") => (c: Context<{ Variables: InlineVariables }>) => {
  const hash = c.get("inlineHashes")?.[kind];
  return hash ? `'self' ${hash}` : "'self'";
};

const applySecureHeaders = secureHeaders({
  // Everything comes from our own origin. maplibre's worker, cropped pictures and own recordings are blobs; style attributes go through the CSSOM.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: [ownAndInline("script")],
    styleSrc: [ownAndInline("style")],
    imgSrc: ["'self'", "data:", "blob:"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'", "blob:"],
    manifestSrc: ["'self'"],
    mediaSrc: ["'self'", "blob:"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // A member's visit leaves no referrer anywhere, and no page of ours opens in a frame.
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  // Sent by `setSecurityHeaders`, over https alone.
  strictTransportSecurity: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** "interest-cohort" is unknown to hono's types. */
const PERMISSIONS_POLICY =
  "geolocation=(self), camera=(self), microphone=(self), payment=(), usb=(), interest-cohort=()";
const STRICT_TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains; preload";

/** Sets the headers of every answer. */
export async function setSecurityHeaders(c: Context, isHttps: boolean): Promise<void> {
  await applySecureHeaders(c, async () => undefined);
  c.res.headers.set("permissions-policy", PERMISSIONS_POLICY);
  if (isHttps) c.res.headers.set("strict-transport-security", STRICT_TRANSPORT_SECURITY);
}

/** Throws FOREIGN_ORIGIN for a state-changing call that does not carry this site's own Origin, or a foreign socket. */
export function requireSameOrigin(request: Request): void {
  const socket = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  if (!socket && (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS")) return;
  // Scheme, host and port, as browsers write them: no other spelling of an origin is this site's.
  if (request.headers.get("origin") !== new URL(request.url).origin) throw new AppError("FOREIGN_ORIGIN");
}

const READ_ON_MAX_BYTES = 32_000_000;

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

/** Reads a body that was refused unread, up to READ_ON_MAX_BYTES: a client that is still sending would meet a closed connection instead of its answer. */
export async function readToTheEnd({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed || body.locked) return;
  let left = READ_ON_MAX_BYTES;
  try {
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch {
    // The client is gone.
  }
}
