import { NOTIFICATION_KINDS, type NotificationKind } from "@lambda/contract/notifications";
import { shotsOf, uploadShots } from "../pictures.ts";
import { describeResident, isNeighbor, type Resident } from "../residents.ts";
import type { SiteCalls } from "../site-calls.ts";
import { getAcquainted, type Pictures, playLatest, turnOffNotifications } from "./affections.ts";
import { JURY_STORIES } from "./cases.ts";
import { idOf, LOGINS } from "./cast.ts";
import { judgeEarlierCases, openTodaysCase, type Sides, VOTES } from "./juries.ts";
import { playStaff } from "./staff.ts";
import { fillMapChat, holdConversations } from "./talks.ts";

const EVERY_MINUTE = "* * * * *";
/** The case of JURY_STORIES that its jury could not decide. */
const DIVIDED = JURY_STORIES.findIndex(({ guilty }) => guilty === VOTES / 2);
const STAFF_CASES = 5;
const SENSITIVE: ReadonlySet<string> = new Set(["Transgender", "Trans", "Feminine", "Hiv-"]);

/** Kinds of which the demo member gets one unread notification each. */
const NOTIFIED_KINDS: readonly NotificationKind[] = ["jury", "album", "match"];

/** Plays the history of the demo's town by API calls of its members, in a few seconds and deterministically. */
export async function playTown(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  await turnOffNotifications(site, NOTIFICATION_KINDS, now);
  const pictures = await uploadNeeded(site, residents, now);
  await holdConversations(site, residents, now);
  const sides = await chooseSides(site, residents, now);
  await Promise.all([moderate(site, sides, now), getAcquainted(site, residents, pictures, now)]);
  await fillMapChat(site, residents, now);
  const others = NOTIFICATION_KINDS.filter((kind) => !NOTIFIED_KINDS.includes(kind));
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
