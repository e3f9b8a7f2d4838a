import { readCookie, SESSION_COOKIE } from "../http/cookies.ts";

/**
 * Session tokens that this isolate has verified: their requests are limited per member instead of per network, so that many members can
 * share a network. Unknown tokens count against the network, so that guessing tokens does not bypass the limit.
 */
const verifiedTokens = new Set<string>();
const VERIFIED_MAX = 10_000;

/** Whether a request exceeds its network's limit; checked before the session lookup. Each call of a batch counts. */
export async function isFlood(
  { IP_RATE_LIMIT }: { readonly IP_RATE_LIMIT: RateLimit },
  request: Request,
  network: string,
  calls: number,
): Promise<boolean> {
  const token = readCookie(request, SESSION_COOKIE);
  if (token !== undefined && verifiedTokens.has(token)) return false;
  const outcomes = await Promise.all(Array.from({ length: calls }, () => IP_RATE_LIMIT.limit({ key: network })));
  return outcomes.some(({ success }) => !success);
}

/** Remembers or forgets a token after the session lookup. */
export function recordSessionCheck(request: Request, isMember: boolean): void {
  const token = readCookie(request, SESSION_COOKIE);
  if (token === undefined) return;
  if (!isMember) verifiedTokens.delete(token);
  else {
    if (verifiedTokens.size >= VERIFIED_MAX) verifiedTokens.clear();
    verifiedTokens.add(token);
  }
}
