import { SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS } from "@lambda/contract/limits";

interface Attempt {
  /** Consecutive failures before this attempt. */
  readonly failures: number;
  /** The server closed an open socket while this device is online: a deployment or crash does that to every page at once. */
  readonly isMassReconnect: boolean;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * How long to wait before the next attempt, in milliseconds. In a mass reconnect every attempt is spread over the longest delay;
 * otherwise the delay starts short and doubles each time.
 */
export function retryDelay({ failures, isMassReconnect, random }: Attempt): number {
  if (isMassReconnect) return SOCKET_RETRY_MAX_MS * random;
  return Math.min(SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS * 2 ** failures) * (0.5 + random / 2);
}
