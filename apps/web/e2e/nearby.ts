import type { TestSite } from "@lambda/testing/browser";
import { insertMembers } from "@lambda/testing/members";
import type { CDPSession, Page } from "playwright-core";
import { apiFor, type BrowserMember, makeMember } from "./members.ts";

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

let placeCount = 0;

/** More than any test file uses. Files do not share a site. */
const PLACES = 24;

/** A place in a country that punishes. */
export const KAMPALA: Place = { lat: 0.3136, lon: 32.5811 };

/** Returns an unused place in the open ocean, so that members of different tests do not meet. */
export function newPlace(): Place {
  placeCount = (placeCount + 1) % PLACES;
  return { lat: -50 + placeCount * 2, lon: -120 };
}

/** Creates a member who reports a position `north` degrees north of the place. */
export async function makeNearby(
  site: Pick<TestSite, "run" | "port">,
  place: Place,
  name: string,
  north = 0,
): Promise<BrowserMember> {
  const member = await makeMember(site, { name });
  await reportPosition(site, member, { lat: place.lat + north, lon: place.lon });
  return member;
}

/** Reports a member's position as a device in walk mode does. */
export async function reportPosition(
  site: Pick<TestSite, "run" | "port">,
  member: BrowserMember,
  { lat, lon }: Place,
): Promise<void> {
  const api = await apiFor(site, member);
  const response = await api.fetch(`/api/profile-position/${member.id}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      profileId: member.id,
      use: "OVERRIDE",
      overrideLat: lat,
      overrideLon: lon,
    }),
  });
  if (!response.ok) throw new Error(`the position was rejected: ${await response.text()}`);
}

/**
 * Inserts `count` members near an existing one, named Member 1, Member 2, ...
 *
 * @param spacing distance between neighbors, in curve keys
 */
export async function makeCrowd(site: TestSite, center: BrowserMember, count: number, spacing = 1): Promise<void> {
  const now = Date.now();
  const members = await insertMembers(
    site.run,
    Array.from({ length: count }, (_, index) => ({ name: `Member ${index + 1}`, randomOrder: index + 1 })),
  );
  await site.run({
    query: `insert into position (profile_id, use, precision, cell, key, session, ts_published, ts_effective_until)
      select m.value, 'OVERRIDE', 'street', s.cell, s.key + (m.key + 1) * ?, 0, ?, ?
      from json_each(?) m, position s where s.profile_id = ?`,
    values: [spacing, now, now + 86_400_000, JSON.stringify(members.map(({ id }) => id)), center.id],
  });
}

/** Swipes with one finger from a point by an offset, in steps. */
export async function swipe(page: Page, from: Point, by: Point): Promise<void> {
  const client: CDPSession = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  const steps = 8;
  await touch("touchStart", from.x, from.y);
  for (let step = 1; step <= steps; step += 1) {
    await touch("touchMove", from.x + (by.x * step) / steps, from.y + (by.y * step) / steps);
  }
  await touch("touchEnd");
  await client.detach();
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the center of the first element that matches a selector. */
export async function centerOf(page: Page, selector: string): Promise<Point> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
