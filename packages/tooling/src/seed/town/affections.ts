import type { NotificationKind } from "@lambda/contract/notifications";
import type { OwnPicture } from "@lambda/contract/pictures";
import { isNeighbour, type Resident } from "../crowd.ts";
import type { SiteCalls } from "../site-calls.ts";
import { idOf, LOGINS } from "./cast.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pictures that are there before the town comes to life, by their owner, in the owner's order. */
export type Pictures = ReadonlyMap<number, readonly number[]>;

/** One of so many neighbours liked one of the logins before today. */
const EARLIER_LIKERS = 16;

interface Like {
  readonly by: number;
  readonly of: number;
  /** Minutes before now. */
  readonly ago: number;
}

/** Likes from and to the demo member: one is a match, and Omar becomes one later. */
function likesOfToday(): Like[] {
  const { member, other } = LOGINS;
  return [
    { by: idOf("elliot"), of: member, ago: 176 },
    { by: member, of: idOf("rafael"), ago: 170 },
    { by: idOf("isaac"), of: member, ago: 131 },
    { by: member, of: idOf("wes"), ago: 127 },
    { by: other, of: idOf("ken"), ago: 120 },
    { by: idOf("wes"), of: member, ago: 104 },
    { by: idOf("noah"), of: member, ago: 77 },
    { by: idOf("omar"), of: member, ago: 49 },
    { by: idOf("ken"), of: other, ago: 22 },
    { by: idOf("gus"), of: member, ago: 18 },
  ];
}

/** Likes of the days before: some neighbours like one of the logins. */
function earlierLikes(residents: readonly Resident[]): Like[] {
  return residents
    .filter((resident) => isNeighbour(resident) && !resident.played && resident.id % EARLIER_LIKERS === 0)
    .map(({ id }) => ({ by: id, of: 1 + (id % 3), ago: 26 * 60 + id * 31 }));
}

export async function exchangeLikes(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  const likes = [...earlierLikes(residents), ...likesOfToday()].sort((a, b) => b.ago - a.ago);
  for (const one of likes) await like(site, one, now);
}

async function like(site: SiteCalls, { by, of, ago }: Like, now: number): Promise<void> {
  const body = { likedProfileId: of, likeType: "LIKE" };
  await site.as(by, now - ago * MINUTE_MS, { method: "PUT", path: "/api/profile-like", body });
}

/** The second match of today. */
export async function matchOmar(site: SiteCalls, now: number): Promise<void> {
  await like(site, { by: LOGINS.member, of: idOf("omar"), ago: 41 }, now);
}

/** Two pictures of the demo member were liked, and the member liked three. */
export async function likePictures(site: SiteCalls, pictures: Pictures, now: number): Promise<void> {
  const likeOne = (by: number, of: number, index: number, ago: number) =>
    site.as(by, now - ago * MINUTE_MS, {
      method: "PUT",
      path: "/api/profile-pic-like",
      body: { profilePicId: pictures.get(of)?.[index], likeType: "LIKE" },
    });
  await likeOne(idOf("marcus"), LOGINS.member, 1, 155);
  await likeOne(idOf("elliot"), LOGINS.member, 0, 64);
  await likeOne(LOGINS.member, idOf("rafael"), 0, 60);
  await likeOne(LOGINS.member, idOf("theo"), 0, 58);
  await likeOne(LOGINS.member, idOf("isaac"), 0, 43);
}

export async function block(site: SiteCalls, by: number, other: number, now: number): Promise<void> {
  const body = { likedProfileId: other, blocked: true };
  await site.as(by, now - 30 * HOUR_MS, { method: "PUT", path: "/api/profile-like", body });
}

/** One neighbour asks for the demo member's album, and the demo member for one. */
export async function askForAlbums(site: SiteCalls, now: number): Promise<void> {
  const ask = (by: number, owner: number, ago: number) =>
    site.as(by, now - ago * MINUTE_MS, { method: "POST", path: "/api/album-request", body: { ownerProfileId: owner } });
  await ask(idOf("wes"), LOGINS.member, 102);
  await ask(LOGINS.member, idOf("isaac"), 42);
}

export async function openAlbum(site: SiteCalls, now: number): Promise<void> {
  const body = { memberProfileId: LOGINS.member };
  await site.as(idOf("marcus"), now - 99 * MINUTE_MS, { method: "PUT", path: "/api/album-grant", body });
}

/** Gus asks for help with a picture; the demo member did too, and got a suggestion. */
export async function askForCrops(site: SiteCalls, pictures: Pictures, now: number): Promise<void> {
  const picture = (of: number) => pictures.get(of)?.[1];
  for (const [owner, ago] of [
    [idOf("gus"), 300],
    [LOGINS.member, 240],
  ] as const) {
    await site.as<OwnPicture>(owner, now - ago * MINUTE_MS, {
      method: "PUT",
      path: `/api/profile-pic/${picture(owner)}`,
      body: { wantsCrop: true },
    });
  }
  await site.as(idOf("elliot"), now - 150 * MINUTE_MS, {
    method: "POST",
    path: "/api/games/photocrop/suggestion",
    body: { pictureId: picture(LOGINS.member), x: 0.14, y: 0.1, width: 0.72, height: 0.72 },
  });
}

/** Private notes of the demo member about two others. */
export async function takeNotes(site: SiteCalls, now: number): Promise<void> {
  const notes = [
    {
      aboutProfileId: idOf("rafael"),
      bodyText: "Asleep by nine! Cardamom, no raisins. Bench under the red rocks.",
      privateTags: ["walks", "early bird"],
    },
    {
      aboutProfileId: idOf("theo"),
      bodyText: "Works nights until Friday. Ask about the trip to Yosemite. Biscuit approves.",
      privateTags: ["climbing", "walks"],
    },
  ];
  for (const [index, body] of notes.entries()) {
    await site.as(LOGINS.member, now - (70 - 40 * index) * MINUTE_MS, {
      method: "PUT",
      path: "/api/profile-note",
      body,
    });
  }
}

/** The demo member wants no news of these kinds. */
export async function turnOff(site: SiteCalls, off: readonly NotificationKind[], now: number): Promise<void> {
  await site.as(LOGINS.member, now, { method: "PUT", path: "/api/notification-preferences", body: { off } });
}
