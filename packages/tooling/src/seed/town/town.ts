import { DAY_MS, HOUR_MS, MET_COUNT_MS, MINUTE_MS } from "@lambda/contract/limits";
import { STAR_TAG } from "@lambda/contract/notes";
import { NotificationKind } from "@lambda/contract/notifications";
import type { FiledReport } from "@lambda/contract/reports";
import { shotsOf, uploadShots } from "../pictures.ts";
import { describeResident, isNeighbor, type Resident } from "../residents.ts";
import type { Call, SiteCalls } from "../site-calls.ts";
import cases from "./cases.json" with { type: "json" };
import { idOf, LOGINS } from "./cast.ts";
import { TONIGHT } from "./conversations.ts";
import { JURY_STORIES, judgeEarlierCases, openTodaysCase, report, type Sides, VOTES } from "./juries.ts";
import { fillMapChat, holdConversations } from "./talks.ts";

/** Picture ids uploaded before anything else happens, by owner and in the owner's order. */
type Pictures = ReadonlyMap<number, readonly number[]>;

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
async function getAcquainted(site: SiteCalls, residents: readonly Resident[], pictures: Pictures, now: number) {
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
        STAR_TAG,
        "climbing",
        "walks",
      ]),
      note(idOf("isaac"), 25, "", [STAR_TAG]),
      ...TONIGHT.map(([name, wishes]): Act => [idOf(name), 0, put("/api/tonight", { wishes, tsUntil })]),
    ],
    now,
  );
  await vouch(site, now);
  await play(site, [block(member, idOf("ken") + 5), block(idOf("ken") + 9, member)], now);
}

/** The last news of today: Marcus opens his album, and Omar becomes the second match. */
function playLatest(site: SiteCalls, now: number): Promise<void> {
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
const turnOffNotifications = (site: SiteCalls, off: readonly NotificationKind[], now: number) =>
  site.callAs(member, now, put("/api/notification-preferences", { off }));

/** The admin's past actions, and what awaits them: two cases, a jury's recommendation, an appeal, two contact messages. */
async function playStaff(site: SiteCalls, { divided, sides }: StaffScene, now: number): Promise<void> {
  await decideDivided(site, divided, now);
  await suspendForThreat(site, sides[0] as Sides, now);
  await ban(site, (sides[1] as Sides).subject, now);
  await dismiss(site, sides[2] as Sides, now);
  await report(site, sides[3] as Sides, now - 26 * HOUR_MS, {
    rule: "intimate",
    complaint: cases.staff.privatePictures.complaint,
  });
  await report(site, sides[4] as Sides, now - 5 * HOUR_MS, {
    rule: "threat",
    wrote: { to: "reporter", text: cases.staff.threat.text },
    complaint: cases.staff.threat.complaint,
  });
  for (const [index, { path, body }] of cases.letters.entries()) {
    const sender = index === 0 ? idOf("gus") : idOf("ken");
    await site.callAs(sender, now - (20 - 9 * index) * HOUR_MS, { method: "POST", path, body });
  }
}

interface StaffScene {
  /** The case that a jury could not decide sixteen days ago. */
  readonly divided: Sides & Pick<FiledReport, "id">;
  /** The two sides of each case that goes directly to staff. */
  readonly sides: readonly Sides[];
}

const act = (site: SiteCalls, at: number, body: object) =>
  site.callAs<{ id: number }>(LOGINS.admin, at, { method: "POST", path: "/api/admin/action", body });

const appeal = (site: SiteCalls, by: number, at: number, reportId: number, text: string) =>
  site.callAs(by, at, { method: "POST", path: `/api/report/${reportId}/appeal`, body: { text } });

/** After a divided jury, staff warn the member, who appeals; as no other jury can be drawn, staff reverse the warning. */
async function decideDivided(site: SiteCalls, { id, subject }: StaffScene["divided"], now: number): Promise<void> {
  const reason = cases.actions.warn;
  const draft = { subjectProfileId: subject, kind: "warn", rule: "impersonation", reason, reportId: id };
  await act(site, now - 15 * DAY_MS, draft);
  await appeal(site, subject, now - 14 * DAY_MS, id, cases.appeals.reversed);
  await site.callAs(LOGINS.admin, now - 13 * DAY_MS, {
    method: "POST",
    path: `/api/admin/report/${id}/appeal`,
    body: { reversed: true },
  });
}

async function suspendForThreat(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const { id } = await report(site, sides, now - 3 * DAY_MS, { rule: "threat", complaint: cases.actions.suspend });
  await act(site, now - 3 * DAY_MS + 2 * HOUR_MS, {
    subjectProfileId: sides.subject,
    kind: "suspend",
    rule: "threat",
    reason: cases.actions.suspend,
    days: 14,
    reportId: id,
  });
  await appeal(site, sides.subject, now - DAY_MS, id, cases.appeals.waiting);
}

async function ban(site: SiteCalls, subjectProfileId: number, now: number): Promise<void> {
  await act(site, now - 10 * DAY_MS, { subjectProfileId, kind: "ban", rule: "scam", reason: cases.actions.ban });
}

async function dismiss(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const { complaint, answer } = cases.staff.dismissed;
  const { id } = await report(site, sides, now - 5 * DAY_MS, { rule: "intimate", complaint });
  await site.callAs(LOGINS.admin, now - 5 * DAY_MS + 7 * HOUR_MS, {
    method: "POST",
    path: `/api/admin/report/${id}/dismiss`,
    body: { reason: answer },
  });
}

const EVERY_MINUTE = "* * * * *";
/** The case of JURY_STORIES that its jury could not decide. */
const DIVIDED = JURY_STORIES.findIndex(({ guilty }) => guilty === VOTES / 2);
const STAFF_CASES = 5;
const SENSITIVE: ReadonlySet<string> = new Set(["Transgender", "Trans", "Feminine", "Hiv-"]);

/** Kinds of which the demo member gets one unread notification each. */
const NOTIFIED_KINDS: readonly NotificationKind[] = ["jury", "album", "match"];

/** Plays the history of the demo's town by API calls of its members, in a few seconds and deterministically. */
export async function playTown(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  await turnOffNotifications(site, NotificationKind.options, now);
  const pictures = await uploadNeeded(site, residents, now);
  await holdConversations(site, residents, now);
  const sides = await chooseSides(site, residents, now);
  await Promise.all([moderate(site, sides, now), getAcquainted(site, residents, pictures, now)]);
  await fillMapChat(site, residents, now);
  const others = NotificationKind.options.filter((kind) => !NOTIFIED_KINDS.includes(kind));
  await turnOffNotifications(site, others, now);
  await openTodaysCase(site, sides[JURY_STORIES.length] as Sides, now);
  await playLatest(site, now);
  await turnOffNotifications(site, [], now);
  // A cron job ends expired suspensions.
  await site.runCron(EVERY_MINUTE, now);
}

async function moderate(site: SiteCalls, sides: readonly Sides[], now: number): Promise<void> {
  const reports = await judgeEarlierCases(site, sides, now);
  const divided = { ...(sides[DIVIDED] as Sides), id: reports[DIVIDED]?.id ?? 0 };
  await playStaff(site, { divided, sides: sides.slice(JURY_STORIES.length + 1) }, now);
}

/** Pictures that the history needs; the others are uploaded while the site is already in use. */
const NEEDED: readonly (readonly [owner: number, pictures: number])[] = [
  [LOGINS.member, 2],
  [idOf("gus"), 2],
  [idOf("rafael"), 2],
  [idOf("theo"), 2],
  [idOf("isaac"), 1],
];

async function uploadNeeded(site: SiteCalls, residents: readonly Resident[], now: number): Promise<Pictures> {
  const shots = NEEDED.flatMap(([owner, pictures]) =>
    shotsOf(residents.slice(owner - 1, owner), new Map(), now).slice(0, pictures),
  );
  const ids = await uploadShots(site, shots, now);
  const pictures = new Map<number, number[]>();
  for (const [index, { resident }] of shots.entries()) {
    pictures.set(resident.id, [...(pictures.get(resident.id) ?? []), ids[index] as number]);
  }
  return pictures;
}

/** Two visible neighbors for each case, who do not interact with the demo member otherwise. */
async function chooseSides(site: SiteCalls, residents: readonly Resident[], now: number): Promise<Sides[]> {
  const [rows = []] = await site.run({ query: "select id from profile where hidden = 1" });
  const hidden = new Set((rows as { id: number }[]).map(({ id }) => id));
  const available = residents.filter(
    (resident) => isNeighbor(resident) && !resident.role && !hidden.has(resident.id) && resident.id % 16 !== 0,
  );
  // A reported profile is shown as evidence, so it should not suggest that a group is the offense.
  const canBeReported = (resident: Resident) =>
    !describeResident(resident, now).characteristics.some((tag) => SENSITIVE.has(tag));
  const subjects = available.filter(({ id }) => id % 2 === 1).filter(canBeReported);
  const reporters = available.filter(({ id }) => id % 2 === 0);
  return Array.from({ length: JURY_STORIES.length + 1 + STAFF_CASES }, (_, index) => ({
    subject: subjects[index]?.id ?? 0,
    reporter: reporters[index * 3]?.id ?? 0,
  }));
}
