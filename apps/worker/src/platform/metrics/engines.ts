/** Counts which routes answer which browser engine: an engine that one route alone refuses would stay unseen among all others. */
import type { Counts, Engine } from "../objects.ts";
import { count } from "./counts.ts";

/** From a User-Agent no more than its engine. Every browser of an iPhone is WebKit; programs have none. */
function engineOf(userAgent: string): Engine | undefined {
  if (/Firefox\//.test(userAgent)) return "Firefox";
  if (/Chrome\//.test(userAgent)) return "Chromium";
  return /AppleWebKit\//.test(userAgent) ? "WebKit" : undefined;
}

/** Refusals that say something about a member or the moment, not about the request. */
const OWN_REFUSALS: ReadonlySet<number> = new Set([401, 409, 413, 429]);

export function countRoute(request: Request, route: string, status: number): void {
  const engine = engineOf(request.headers.get("user-agent") ?? "");
  if (!engine || status >= 500 || OWN_REFUSALS.has(status)) return;
  count(`${status < 400 ? "answered" : "denied"} ${engine} ${route}`);
}

/** Beyond a single member with a broken link or an odd extension. */
const DENIED_MIN = 10;
const ANSWERED_MIN = 5;

/** Routes that refuse every request of an engine which they answer elsewhere, as "/ws in WebKit". */
export function findDeniedRoutes(counts: Counts): string[] {
  const entries = (Object.entries(counts) as [string, number][]).flatMap(([name, amount]) => {
    const [, kind, engine, route] = /^(answered|denied) (\w+) (.+)$/.exec(name) ?? [];
    return kind && engine && route ? [{ kind, engine, route, amount }] : [];
  });
  const isAnswered = (matches: (entry: { engine: string; route: string }) => boolean) =>
    entries
      .filter((entry) => entry.kind === "answered" && matches(entry))
      .reduce((sum, { amount }) => sum + amount, 0) >= ANSWERED_MIN;
  return entries
    .filter(
      ({ kind, engine, route, amount }) =>
        kind === "denied" &&
        amount >= DENIED_MIN &&
        !entries.some((other) => other.kind === "answered" && other.engine === engine && other.route === route) &&
        isAnswered((other) => other.engine === engine) &&
        isAnswered((other) => other.engine !== engine && other.route === route),
    )
    .map(({ engine, route }) => `${route} in ${engine}`);
}
