/** Members of a test who report positions, and what that costs. */
import type { NearbyBrief } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import { expect } from "vitest";
import { as, type MemberOverrides, type TestMember } from "../member.ts";
import { createMembers } from "../members.ts";
import type { TestWorker } from "../worker.ts";

export const PHOENIX = { lat: 33.4484, lon: -112.074 };

export function report(
  member: TestMember,
  at: Point,
  more: Record<string, unknown> = {},
  now?: number,
): Promise<Response> {
  return member.fetch(`/api/profile-position/${member.id}`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      ...(now !== undefined && { "x-development-now": String(now) }),
    },
    body: JSON.stringify({
      ...{ session: 7, overrideLat: at.lat, overrideLon: at.lon, gpsLat: at.lat, gpsLon: at.lon },
      ...{ use: "OVERRIDE", ...more },
    }),
  });
}

/** A member who has reported from there. */
export async function standing(worker: TestWorker, at: Point, overrides: MemberOverrides = {}): Promise<TestMember> {
  const member = await as(worker, overrides);
  expect((await report(member, at)).status).toBe(200);
  return member;
}

/** Makes members with these ids at these keys of the curve, without reports of their own. */
export async function placeMembers(
  { run }: TestWorker,
  members: readonly (readonly [id: number, key: number])[],
): Promise<void> {
  await createMembers(
    run,
    members.map(([id]) => ({ id, name: `M${id}`, birthdate: "1990-01-01", randomOrder: id, created: 0 })),
  );
  await run({
    query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      select j.value ->> 0, 'DEVICE_GPS', 'street', 0, j.value ->> 1, 0, 9007199254740991 from json_each(?) j`,
    values: [JSON.stringify(members)],
  });
}

export const idsNear = async (viewer: TestMember, query = "") =>
  (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/nearest${query}`)).map((brief) => brief.profileId);

export async function rows(worker: TestWorker, sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, unknown>>()
  ).results;
}

export const cost = (response: Response, what: "trips" | "rows-read" | "rows-written") =>
  Number(response.headers.get(`x-d1-${what}`));
