import { REQUEST_MAX_BYTES } from "@lambda/contract/limits";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { AppError } from "../errors.ts";
import { errorResponse } from "./error-response.ts";

/** Hashes of the inline script and style of a document. */
export interface InlineVariables {
  readonly inlineHashes?: { readonly script: string; readonly style: string };
}

/** Vite's development server injects inline scripts and styles, which have no hashes. Wrangler's builds, hence every deployed one, lack `env`. */
const isUnderVite = () => __DEVELOPMENT__ && (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true;

/** Our own files, and this document's inline text. */
const selfAndInline = (kind: "script" | "style") => (c: Context<{ Variables: InlineVariables }>) => {
  if (isUnderVite()) return "'self' 'unsafe-inline'";
  const hash = c.get("inlineHashes")?.[kind];
  return hash ? `'self' ${hash}` : "'self'";
};

const applySecureHeaders = secureHeaders({
  // Everything is loaded from our own origin. MapLibre's worker, cropped pictures and recordings are blobs; style attributes are set through the CSSOM.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: [selfAndInline("script")],
    styleSrc: [selfAndInline("style")],
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
  // Visits leave no referrer on other sites, and no page can be framed.
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  // Set by `setSecurityHeaders`, and only over https.
  strictTransportSecurity: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Set by hand because hono's types lack "interest-cohort". */
const PERMISSIONS_POLICY =
  "geolocation=(self), camera=(self), microphone=(self), payment=(), usb=(), interest-cohort=()";
const STRICT_TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains; preload";

export async function setSecurityHeaders(c: Context, isHttps: boolean): Promise<void> {
  await applySecureHeaders(c, async () => undefined);
  c.res.headers.set("permissions-policy", PERMISSIONS_POLICY);
  if (isHttps) c.res.headers.set("strict-transport-security", STRICT_TRANSPORT_SECURITY);
}

export const isSocketRequest = (request: Request): boolean =>
  request.headers.get("upgrade")?.toLowerCase() === "websocket";

/** Throws FOREIGN_ORIGIN for a state-changing call or a WebSocket upgrade without this site's own Origin. */
export function requireSameOrigin(request: Request): void {
  const isSocket = isSocketRequest(request);
  if (!isSocket && (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS")) return;
  // Compares scheme, host and port as browsers write them; no other spelling is accepted.
  if (request.headers.get("origin") !== new URL(request.url).origin) throw new AppError("FOREIGN_ORIGIN");
}

/** Requests for which a page asks; everything else (typed addresses, frames, scripts) is answered like a missing file. */
const FETCH_DESTINATIONS = ["empty", "image", "audio", "video"];

/** Answers 404 without content to a request that would show a response of the API as a page or run it. */
export const refuseNavigation = createMiddleware(async (c, next) => {
  // No page, frame or script can ask for an upgrade. WebKit names its destination "websocket", others "empty".
  if (isSocketRequest(c.req.raw)) return next();
  const destination = c.req.header("sec-fetch-dest");
  const isFetch = destination
    ? FETCH_DESTINATIONS.includes(destination) && c.req.header("sec-fetch-mode") !== "navigate"
    : // Older browsers; programs such as curl accept anything.
      !c.req.header("accept")?.includes("text/html");
  return isFetch ? next() : c.body(null, 404);
});

/** Compressed bodies are refused, not read as they are: a small one may be gigabytes large. */
export const refuseEncodedBody = createMiddleware(async (c, next) => {
  const encoding = c.req.header("content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding === "identity" || !c.req.raw.body) return next();
  const message = "A body with a Content-Encoding is not read here. Send it as it is.";
  const response = errorResponse(undefined, new AppError("WRONG_TYPE", { message }));
  response.headers.set("accept-encoding", "identity");
  return response;
});

/** The request with its media type in small letters: their case means nothing, but tRPC compares it. */
export function withPlainMediaType(request: Request): Request {
  const type = request.headers.get("content-type") ?? "";
  const plain = type.replace(/^[^;]*/, (name) => name.trim().toLowerCase());
  if (plain === type) return request;
  const headers = new Headers(request.headers);
  headers.set("content-type", plain);
  return new Request(request, { headers });
}

const DRAINED_MAX_BYTES = 32_000_000;

const checkBodySize = bodyLimit({
  maxSize: REQUEST_MAX_BYTES,
  onError: () => {
    throw new AppError("TOO_LARGE", { message: "The request is too large." });
  },
});

/** Rejects oversized bodies before anything reads them; picture uploads check their own size. */
export const limitBody = createMiddleware((c, next) =>
  c.req.method === "POST" && c.req.path === "/api/profile-pic" ? next() : checkBodySize(c, next),
);

/** The request, which calls back when the last byte of its body was received: how long a client takes to send says nothing about the site. */
export function afterBody(request: Request, received: () => void): Request {
  if (!request.body) return request;
  const body = request.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: received }));
  return new Request(request, { body });
}

/** Reads and discards an unread body up to DRAINED_MAX_BYTES: a client still sending would get a closed connection instead of the response. */
export async function drainBody({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed || body.locked) return;
  let left = DRAINED_MAX_BYTES;
  try {
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch {
    // The client disconnected.
  }
}
