import { HOUR_MS, MET_COUNT_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { NotificationKind } from "@lambda/contract/notifications";
import type { OwnPicture } from "@lambda/contract/pictures";
import { isNeighbor, type Resident } from "../residents.ts";
import type { SiteCalls } from "../site-calls.ts";
import { idOf, LOGINS } from "./cast.ts";
import { TONIGHT } from "./conversations.ts";

/** Picture ids uploaded before anything else happens, by owner and in the owner's order. */
export type Pictures = ReadonlyMap<number, readonly number[]>;

/** One in this many neighbors liked one of the logins before today. */
const EARLIER_LIKERS = 16;

interface Like {
  readonly by: number;
  readonly of: number;
  /** Minutes before now. */
  readonly ago: number;
}

/** Today's likes, including one match of the demo member; Omar becomes the second one later. */
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

/** Likes from the days before: some neighbors like one of the logins. */
function earlierLikes(residents: readonly Resident[]): Like[] {
  return residents
    .filter((resident) => isNeighbor(resident) && !resident.role && resident.id % EARLIER_LIKERS === 0)
    .map(({ id }) => ({ by: id, of: 1 + (id % 3), ago: 26 * 60 + id * 31 }));
}

export async function exchangeLikes(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  const likes = [...earlierLikes(residents), ...likesOfToday()].sort((a, b) => b.ago - a.ago);
  for (const each of likes) await like(site, each, now);
}

async function like(site: SiteCalls, { by, of, ago }: Like, now: number): Promise<void> {
  const body = { likedProfileId: of, likeType: "LIKE" };
  await site.callAs(by, now - ago * MINUTE_MS, { method: "PUT", path: "/api/profile-like", body });
}

/** The second match today. */
export async function matchOmar(site: SiteCalls, now: number): Promise<void> {
  await like(site, { by: LOGINS.member, of: idOf("omar"), ago: 41 }, now);
}

/** Two pictures of the demo member get likes, and the member likes three. */
export async function likePictures(site: SiteCalls, pictures: Pictures, now: number): Promise<void> {
  const likeOne = (by: number, of: number, index: number, ago: number) =>
    site.callAs(by, now - ago * MINUTE_MS, {
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
  await site.callAs(by, now - 30 * HOUR_MS, { method: "PUT", path: "/api/profile-like", body });
}

/** A neighbor requests the demo member's album, and the demo member requests another. */
export async function askForAlbums(site: SiteCalls, now: number): Promise<void> {
  const ask = (by: number, owner: number, ago: number) =>
    site.callAs(by, now - ago * MINUTE_MS, {
      method: "POST",
      path: "/api/album-request",
      body: { ownerProfileId: owner },
    });
  await ask(idOf("wes"), LOGINS.member, 102);
  await ask(LOGINS.member, idOf("isaac"), 42);
}

export async function openAlbum(site: SiteCalls, now: number): Promise<void> {
  const body = { memberProfileId: LOGINS.member };
  await site.callAs(idOf("marcus"), now - 99 * MINUTE_MS, { method: "PUT", path: "/api/album-grant", body });
}

/** Gus and the demo member ask for crop suggestions, and the demo member gets one. */
export async function askForCrops(site: SiteCalls, pictures: Pictures, now: number): Promise<void> {
  const picture = (of: number) => pictures.get(of)?.[1];
  for (const [owner, ago] of [
    [idOf("gus"), 300],
    [LOGINS.member, 240],
  ] as const) {
    await site.callAs<OwnPicture>(owner, now - ago * MINUTE_MS, {
      method: "PUT",
      path: `/api/profile-pic/${picture(owner)}`,
      body: { wantsCrop: true },
    });
  }
  await site.callAs(idOf("elliot"), now - 150 * MINUTE_MS, {
    method: "POST",
    path: "/api/games/photocrop/suggestion",
    body: { pictureId: picture(LOGINS.member), x: 0.14, y: 0.1, width: 0.72, height: 0.72 },
  });
}

/** The demo member's private notes about two others. */
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
    await site.callAs(LOGINS.member, now - (70 - 40 * index) * MINUTE_MS, {
      method: "PUT",
      path: "/api/profile-note",
      body,
    });
  }
}

export async function goOutTonight(site: SiteCalls, now: number): Promise<void> {
  const tsUntil = new Date(now + 5 * HOUR_MS).toISOString();
  for (const [name, wishes] of TONIGHT) {
    await site.callAs(idOf(name), now, { method: "PUT", path: "/api/tonight", body: { wishes, tsUntil } });
  }
}

/** As rows, because a verdict and a count take several members and weeks. All public pictures must be there, or the badge would end. */
export async function vouch(site: SiteCalls, now: number): Promise<void> {
  const day = new Date(now);
  await site.run(
    {
      query: `insert into person_check (profile_id, state, pose, compared, ts_started, ts_decided, ts_checked)
        select profile_id, 'him', '{}', json_group_array(id || ':' || version), ?, ?, ?
        from picture where profile_id in (?, ?) and audience = 'public' group by profile_id`,
      values: [now, now, Date.UTC(day.getUTCFullYear(), day.getUTCMonth()), idOf("rafael"), idOf("theo")],
    },
    {
      query: `insert into met_shown (profile_id, viewer_id, shown, picture, ts_next)
        select p.id, p.id, 3, pic.id || '.' || pic.version, ?
        from profile p join picture pic on pic.id = p.pics_public ->> 0 where p.id = ?`,
      values: [now + MET_COUNT_MS, idOf("rafael")],
    },
  );
}

/** Turns off these kinds of notifications for the demo member. */
export async function turnOffNotifications(
  site: SiteCalls,
  off: readonly NotificationKind[],
  now: number,
): Promise<void> {
  await site.callAs(LOGINS.member, now, { method: "PUT", path: "/api/notification-preferences", body: { off } });
}
