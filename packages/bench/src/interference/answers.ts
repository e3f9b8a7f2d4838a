/** What other accounts ask that may depend on where a member is; every answer is kept whole, with its headers. */
import type { Point } from "@lambda/geo/distance";
import type { TestMember } from "@lambda/testing/member";
import { withRetry } from "../with-retry.ts";

/** Names of headers that tell of the request alone. */
const OWN_HEADERS = new Set(["date", "cf-ray", "x-d1-duration", "x-request-id"]);

export function questions({ lat, lon }: Point, subject: number): string[] {
  const box = (half: number) =>
    `latMin=${Math.max(-90, lat - half)}&latMax=${Math.min(90, lat + half)}&lonMin=${Math.max(-180, lon - half)}&lonMax=${Math.min(180, lon + half)}`;
  const sector = `${Math.min(89, Math.floor(lat))}:${Math.floor(lon)}`;
  return [
    "/api/profile-briefs/nearest",
    "/api/profile-briefs/nearest?size=2&page=1",
    "/api/profile-briefs/nearest?maxDistanceMeters=400",
    "/api/profile-briefs/nearest?characteristics=coffee&ageMin=20",
    `/api/profile-briefs/by-bounds?${box(0.002)}`,
    `/api/profile-briefs/by-bounds?${box(0.3)}&size=3`,
    `/api/profile-briefs/by-sector/${sector}`,
    `/api/profile-positions/distances?profileIds=${subject}`,
    `/api/profile-briefs/by-ids?profileIds=${subject}`,
    "/api/profile-positions/aggregates",
    `/api/profile-positions/aggregates?${box(2)}&most=100`,
    `/api/profile/${subject}`,
    `/api/profile-position/${subject}`,
    "/api/notifications/mine",
    "/api/conversations",
    `/api/messages/most-recent-with/${subject}`,
    `/api/messages/by-sector/${sector}`,
  ];
}

/** The development build's counters of a request's work: they also tell what an isolate remembers of the whole site. */
const METER = /^x-d1-/;

/** Each path with its status, headers and body. @param metered whether the work done for the answer is compared too */
export async function collectAnswers(
  observer: TestMember,
  paths: readonly string[],
  { now, metered }: { now: number; metered: boolean },
): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const answer = await withRetry(() => observer.fetch(path, { headers: { "x-development-now": String(now) } }));
      const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name) && (metered || !METER.test(name)));
      return `${path} ${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
    }),
  );
}
