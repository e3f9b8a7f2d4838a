import { WORK_PRICES } from "@lambda/contract/cost";
import { BATCH_CALLS_MAX, PICTURE_CALL_WEIGHT, SOCKET_CALL_WEIGHT } from "@lambda/contract/limits";

export interface RequestWeight {
  readonly calls: number;
  /** Weight against the calls per minute: picture bytes are cheap, sockets expensive. */
  readonly weight: number;
  /** How many of the calls are not reads. */
  readonly changes: number;
  /** What it costs besides its rows and what it uses through doors (platform/metering), in millionths of a dollar. */
  readonly price: number;
}

interface CountedRequest extends Omit<RequestWeight, "price"> {
  readonly isSocket?: boolean;
}

interface WeighedRequest {
  readonly method: string;
  /** Decoded, as the routes compare it: an escaped letter must not make a batch one call. */
  readonly path: string;
}

/** How much a request counts against the limits. Oversized batches are rejected later and count as the maximum. */
export function weighRequest(request: WeighedRequest): RequestWeight {
  const { isSocket, ...counted } = countRequest(request);
  const { request: base, call, socket } = WORK_PRICES;
  const price = base + counted.calls * call + (isSocket ? socket : 0);
  return { ...counted, price };
}

function countRequest({ method, path }: WeighedRequest): CountedRequest {
  const isRead = method === "GET" || method === "HEAD";
  if (path.startsWith("/trpc/")) {
    const calls = Math.min(BATCH_CALLS_MAX, path.replaceAll(/%2c/gi, ",").split(",").length);
    return { calls, weight: calls, changes: isRead ? 0 : calls };
  }
  if (path.startsWith("/ws")) return { calls: 1, weight: SOCKET_CALL_WEIGHT, changes: 0, isSocket: true };
  const isPicture = isRead && /^\/api\/(profile-pic|profile\/pic)\//.test(path);
  return { calls: 1, weight: isPicture ? PICTURE_CALL_WEIGHT : 1, changes: isRead ? 0 : 1 };
}
