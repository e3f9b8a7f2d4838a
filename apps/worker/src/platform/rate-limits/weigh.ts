import { BATCH_CALLS_MAX, PICTURE_CALL_WEIGHT, SOCKET_CALL_WEIGHT } from "@lambda/contract/limits";

export interface Weighed {
  readonly calls: number;
  /** Against the calls of a minute: a picture's bytes are cheap, a socket is expensive. */
  readonly weight: number;
  /** How many of the calls are no mere reading. */
  readonly changes: number;
}

/** What one request counts for. More calls than a batch may have are refused later, and count as many as it may. */
export function weigh({ method, url }: Pick<Request, "method" | "url">): Weighed {
  const { pathname } = new URL(url);
  const reads = method === "GET" || method === "HEAD";
  if (pathname.startsWith("/trpc/")) {
    const calls = Math.min(BATCH_CALLS_MAX, pathname.replaceAll(/%2c/gi, ",").split(",").length);
    return { calls, weight: calls, changes: reads ? 0 : calls };
  }
  if (pathname.startsWith("/ws")) return { calls: 1, weight: SOCKET_CALL_WEIGHT, changes: 0 };
  const isPicture = reads && /^\/api\/(profile-pic|profile\/pic)\//.test(pathname);
  return { calls: 1, weight: isPicture ? PICTURE_CALL_WEIGHT : 1, changes: reads ? 0 : 1 };
}
