/** Requests by other accounts that may depend on a member's position, and their complete responses with headers. */
import type { Point } from "@lambda/geo/distance";
import type { TestMember } from "../../member.ts";
import { withRetry } from "../with-retry.ts";

/** Headers that differ for each request. */
const VARYING_HEADERS = new Set(["date", "cf-ray", "x-d1-duration", "x-request-id"]);

export function listRequests({ lat, lon }: Point, subject: number): string[] {
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

/** Headers with the development build's counters, which also depend on caches of the isolate. */
const METER = /^x-d1-/;

/**
 * Requests the paths one after the other, so that the isolate's caches do not depend on timing. Returns each path with its status,
 * headers and body.
 *
 * @param metered whether to include the counters of database work
 */
export async function collectResponses(
  observer: TestMember,
  paths: readonly string[],
  { now, metered }: { now: number; metered: boolean },
): Promise<string[]> {
  const responses: string[] = [];
  for (const path of paths) {
    const response = await withRetry(() => observer.fetch(path, { headers: { "x-development-now": String(now) } }));
    const headers = [...response.headers].filter(
      ([name]) => !VARYING_HEADERS.has(name) && (metered || !METER.test(name)),
    );
    responses.push(`${path} ${response.status} ${JSON.stringify(headers)} ${await response.text()}`);
  }
  return responses;
}
