import { HOUR_MS, MET_COUNT_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { NotificationKind } from "@lambda/contract/notifications";
import { isNeighbor, type Resident } from "../residents.ts";
import type { Call, SiteCalls } from "../site-calls.ts";
import { idOf, LOGINS } from "./cast.ts";
import { TONIGHT } from "./conversations.ts";

/** Picture ids uploaded before anything else happens, by owner and in the owner's order. */
export type Pictures = ReadonlyMap<number, readonly number[]>;

/** One call of a member, some minutes before now. */
type Act = readonly [by: number, ago: number, call: Call];

/** One in this many neighbors liked one of the logins before today. */
const EARLIER_LIKERS = 16;
const { member, other } = LOGINS;

async function play(site: SiteCalls, acts: readonly Act[], now: number): Promise<void> {
  for (const [by, ago, call] of acts) await site.callAs(by, now - ago * MINUTE_MS, call);
}

const put = (path: string, body: object): Call => ({ method: "PUT", path, body });
const post = (path: string, body: object): Call => ({ method: "POST", path, body });
const like = (by: number, of: number, ago: number): Act => [
  by,
  ago,
  put("/api/profile-like", { likedProfileId: of, likeType: "LIKE" }),
];
const block = (by: number, of: number): Act => [
  by,
  (30 * HOUR_MS) / MINUTE_MS,
  put("/api/profile-like", { likedProfileId: of, blocked: true }),
];

/** Today's likes, including one match of the demo member; Omar becomes the second one later. */
const LIKES_TODAY: readonly Act[] = [
  like(idOf("elliot"), member, 176),
  like(member, idOf("rafael"), 170),
  like(idOf("isaac"), member, 131),
  like(member, idOf("wes"), 127),
  like(other, idOf("ken"), 120),
  like(idOf("wes"), member, 104),
  like(idOf("noah"), member, 77),
  like(idOf("omar"), member, 49),
  like(idOf("ken"), other, 22),
  like(idOf("gus"), member, 18),
];

/** Likes, then what members ask of each other: crops, albums; the demo member's private notes, and who goes out tonight. */
export async function getAcquainted(site: SiteCalls, residents: readonly Resident[], pictures: Pictures, now: number) {
  const earlier = residents
    .filter((resident) => isNeighbor(resident) && !resident.role && resident.id % EARLIER_LIKERS === 0)
    .map(({ id }) => like(id, 1 + (id % 3), 26 * 60 + id * 31));
  const likes = [...earlier, ...LIKES_TODAY].sort(([, a], [, b]) => b - a);
  const pictureOf = (of: number, index: number) => pictures.get(of)?.[index];
  const likePicture = (by: number, of: number, index: number, ago: number): Act => [
    by,
    ago,
    put("/api/profile-pic-like", { profilePicId: pictureOf(of, index), likeType: "LIKE" }),
  ];
  const askForCrop = (owner: number, ago: number): Act => [
    owner,
    ago,
    put(`/api/profile-pic/${pictureOf(owner, 1)}`, { wantsCrop: true }),
  ];
  const askForAlbum = (by: number, owner: number, ago: number): Act => [
    by,
    ago,
    post("/api/album-request", { ownerProfileId: owner }),
  ];
  const note = (about: number, ago: number, bodyText: string, privateTags: readonly string[]): Act => [
    member,
    ago,
    put("/api/profile-note", { aboutProfileId: about, bodyText, privateTags }),
  ];
  const crop = { pictureId: pictureOf(member, 1), x: 0.14, y: 0.1, width: 0.72, height: 0.72 };
  const tsUntil = new Date(now + 5 * HOUR_MS).toISOString();
  await play(
    site,
    [
      ...likes,
      likePicture(idOf("marcus"), member, 1, 155),
      likePicture(idOf("elliot"), member, 0, 64),
      likePicture(member, idOf("rafael"), 0, 60),
      likePicture(member, idOf("theo"), 0, 58),
      likePicture(member, idOf("isaac"), 0, 43),
      askForCrop(idOf("gus"), 300),
      askForCrop(member, 240),
      [idOf("elliot"), 150, post("/api/games/photocrop/suggestion", crop)],
      askForAlbum(idOf("wes"), member, 102),
      askForAlbum(member, idOf("isaac"), 42),
      note(idOf("rafael"), 70, "Asleep by nine! Cardamom, no raisins. Bench under the red rocks.", [
        "walks",
        "early bird",
      ]),
      note(idOf("theo"), 30, "Works nights until Friday. Ask about the trip to Yosemite. Biscuit approves.", [
        "climbing",
        "walks",
      ]),
      ...TONIGHT.map(([name, wishes]): Act => [idOf(name), 0, put("/api/tonight", { wishes, tsUntil })]),
    ],
    now,
  );
  await vouch(site, now);
  await play(site, [block(member, idOf("ken") + 5), block(idOf("ken") + 9, member)], now);
}

/** The last news of today: Marcus opens his album, and Omar becomes the second match. */
export function playLatest(site: SiteCalls, now: number): Promise<void> {
  const opened = put("/api/album-grant", { memberProfileId: member });
  return play(site, [[idOf("marcus"), 99, opened], like(member, idOf("omar"), 41)], now);
}

/** As rows, because a verdict and a count take several members and weeks. All public pictures must be there, or the badge would end. */
async function vouch(site: SiteCalls, now: number): Promise<void> {
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
export const turnOffNotifications = (site: SiteCalls, off: readonly NotificationKind[], now: number) =>
  site.callAs(member, now, put("/api/notification-preferences", { off }));
