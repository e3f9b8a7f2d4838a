import { readCookie, SESSION_COOKIE } from "../http/cookies.ts";

/**
 * Sessions that this isolate has proved: they are counted by member and cost their network nothing, however many members share it. A
 * token that is unknown here counts once more to its network, so that guessing tokens is no way around.
 */
const proved = new Set<string>();
const PROVED_MAX = 10_000;

/** Whether a request is one too many of its network's, before the database is asked who it is. Each call of a batch counts. */
export async function isFlood(
  { IP_RATE_LIMIT }: { readonly IP_RATE_LIMIT: RateLimit },
  request: Request,
  network: string,
  calls: number,
): Promise<boolean> {
  const token = readCookie(request, SESSION_COOKIE);
  if (token !== undefined && proved.has(token)) return false;
  const outcomes = await Promise.all(Array.from({ length: calls }, () => IP_RATE_LIMIT.limit({ key: network })));
  return outcomes.some(({ success }) => !success);
}

/** What came out of asking. */
export function rememberProved(request: Request, isMember: boolean): void {
  const token = readCookie(request, SESSION_COOKIE);
  if (token === undefined) return;
  if (!isMember) proved.delete(token);
  else {
    if (proved.size >= PROVED_MAX) proved.clear();
    proved.add(token);
  }
}
