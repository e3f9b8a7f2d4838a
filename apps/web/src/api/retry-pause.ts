import { SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS } from "@lambda/contract/limits";

interface Attempt {
  /** In a row, before this one. */
  readonly failures: number;
  /** An open socket was cut off while this device is online: a deployment or a crash does that to every page in the same moment. */
  readonly amongMany: boolean;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * How long to wait before the next try. Who may come back among many takes a random moment of the longest pause from the first try on; who
 * comes alone starts soon and waits longer each time. When a device's own line is back, no pause is waited out at all.
 */
export function retryPause({ failures, amongMany, random }: Attempt): number {
  if (amongMany) return SOCKET_RETRY_MAX_MS * random;
  return Math.min(SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS * 2 ** failures) * (0.5 + random / 2);
}
