/** Members with positions, and the query costs of a response. */
import type { NearbyBrief } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import { expect } from "vitest";
import { createMember, type MemberOverrides, type TestMember } from "../member.ts";
import { insertMembers } from "../members.ts";
import type { TestWorker } from "../worker.ts";

export const PHOENIX = { lat: 33.4484, lon: -112.074 };

export function reportPosition(
  member: TestMember,
  point: Point,
  fields: Record<string, unknown> = {},
  now?: number,
): Promise<Response> {
  return member.fetch(`/api/profile-position/${member.id}`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      ...(now !== undefined && { "x-development-now": String(now) }),
    },
    body: JSON.stringify({
      session: 7,
      overrideLat: point.lat,
      overrideLon: point.lon,
      gpsLat: point.lat,
      gpsLon: point.lon,
      use: "OVERRIDE",
      ...fields,
    }),
  });
}

/** Creates a member who has reported a position. */
export async function createMemberAt(
  worker: TestWorker,
  point: Point,
  overrides: MemberOverrides = {},
): Promise<TestMember> {
  const member = await createMember(worker, overrides);
  expect((await reportPosition(member, point)).status).toBe(200);
  return member;
}

/** Inserts members with given ids and curve keys, without reports over HTTP. */
export async function placeMembers(
  { run }: TestWorker,
  members: readonly (readonly [id: number, key: number])[],
): Promise<void> {
  await insertMembers(
    run,
    members.map(([id]) => ({ id, name: `M${id}`, birthdate: "1990-01-01", randomOrder: id, created: 0 })),
  );
  await run({
    query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      select j.value ->> 0, 'DEVICE_GPS', 'street', 0, j.value ->> 1, 0, 9007199254740991 from json_each(?) j`,
    values: [JSON.stringify(members)],
  });
}

export const listNearestIds = async (viewer: TestMember, query = "") =>
  (await viewer.get<NearbyBrief[]>(`/api/profile-briefs/nearest${query}`)).map((brief) => brief.profileId);

export async function queryRows(
  worker: TestWorker,
  sql: string,
  ...values: unknown[]
): Promise<Record<string, unknown>[]> {
  return (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, unknown>>()
  ).results;
}

/** Returns a cost that the development worker reports in a header of the response. */
export const readCost = (response: Response, kind: "trips" | "rows-read" | "rows-written") =>
  Number(response.headers.get(`x-d1-${kind}`));
