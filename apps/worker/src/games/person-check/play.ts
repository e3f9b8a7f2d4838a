/** The game of those who compare: checks that they were drawn for, among exercises with known answers. */

import type { VoteResult } from "@lambda/contract/games";
import {
  CHECK_BADGE_MS,
  CHECK_HELD_MS,
  CHECK_READ_AGAIN_MS,
  CHECK_SERVED_MS,
  PICTURE_WIDTHS_PX,
} from "@lambda/contract/limits";
import type { CheckVote, PersonCheckItem } from "@lambda/contract/person-check";
import { PersonCheckPose } from "@lambda/contract/person-check";
import type { CurveKey } from "@lambda/geo/curve";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { findVisiblePicture } from "../../pictures/access.ts";
import { variantFor } from "../../pictures/encode.ts";
import { getShownVariant } from "../../pictures/store.ts";
import { batch, guardQuery, type Query, retryIfOvertaken } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { sendBytes } from "../../platform/rest/byte-routes.ts";
import { shuffle } from "../../platform/shuffle.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { CHECK_ALLOWED } from "../../visibility/is-checked.ts";
import { inSightAnywhere, visibleTo } from "../../visibility/visibility.ts";
import {
  chooseItems,
  consumeItemQuery,
  findPackItem,
  issueItems,
  itemPath,
  PACK_DAYS_KEPT,
  type PackItem,
  recentPacksQuery,
  requireAllowance,
  toOpenPack,
} from "../pack.ts";
import { playerQuery, toPlayerRecord } from "../record.ts";
import { countInRecord, recordUnchanged, upsertRecordQuery } from "../vote.ts";
import { isCompared } from "./compared.ts";
import { applyAnswers, isElsewhere } from "./panel.ts";
import { drawPose } from "./rules.ts";

type Pair = readonly [number, number];
type Pairs = readonly Pair[];

const PAIRS = 3;
/** Exercises per pack, and of a day's those that are kept for packs with a check, which would be known if it came alone. */
const KNOWN_PER_PACK = 3;
/** As a check has three stills, so that the number of different pictures does not tell what is an exercise. */
const FIRST_PICTURES = 3;
const CHECKED_READ = 8;
/** Votes with less weight count as silence. */
export const WEIGHT_MIN = 0.5;

/** The checks that the viewer was drawn for and may judge now: no more judges look than answers are missing. */
function openSeats({ db, viewer, now }: MemberContext) {
  return db
    .selectFrom("person_check_seat as s")
    .innerJoin("person_check as k", "k.profile_id", "s.profile_id")
    .innerJoin("profile as p", "p.id", "s.profile_id")
    .where("s.judge_id", "=", viewer.profileId)
    .where("s.answer", "is", null)
    .where(
      sql<boolean>`(select count(*) from person_check_seat o where o.profile_id = s.profile_id and o.judge_id <> s.judge_id
        and (o.answer is not null or (o.ts_shown > ${now - CHECK_HELD_MS}
        and (s.ts_shown is null or (o.ts_shown, o.judge_id) < (s.ts_shown, s.judge_id))))) < k.answers_needed`,
    )
    .where("k.state", "=", "judging")
    .where(sql<boolean>`${sql.raw(CHECK_ALLOWED)}`)
    .where(inSightAnywhere(viewer.profileId));
}

/** Pairs each of the first pictures with one of the second, over again if there are fewer. */
const pairUp = (first: readonly number[], second: readonly number[]): Pairs =>
  Array.from({ length: PAIRS }, (_, index) => [first[index % first.length]!, second[index % second.length]!]);

const idsOf = (compared: string) => (JSON.parse(compared) as string[]).map((entry) => Number(entry.split(":")[0]));

/** The rest of the player's pack with new checks, or a pack of exercises. Throws TOO_MANY_REQUESTS when nothing is left for today. */
export async function drawChecks(ctx: MemberContext): Promise<PersonCheckItem[]> {
  const [packs, seats] = await batch(ctx.d1, [
    recentPacksQuery(ctx, "check"),
    openSeats(ctx)
      .select(
        sql<string>`(select json_group_array(pic.id) from picture pic where pic.audience = 'public' and ${isCompared()})`.as(
          "shown",
        ),
      )
      .select(["k.profile_id", "k.stills", "k.pose", "k.key", "k.ts_started", "s.ts_shown"]),
  ]);
  // A check is read once: who read one before midnight could not answer it after.
  const pack = toOpenPack(ctx, packs, ({ checked, shown }) => checked !== undefined && shown !== undefined);
  const isSeat = ({ checked, version }: PackItem, seat: (typeof seats)[number]) =>
    checked === seat.profile_id && version === seat.ts_started;
  const poseOf = (item: PackItem) => {
    const seat = seats.find((one) => isSeat(item, one));
    return item.checked === undefined ? item.pose : seat && PersonCheckPose.parse(JSON.parse(seat.pose));
  };
  // A check that was decided since is no longer in the pack.
  const items = pack.items.filter((item) => poseOf(item) !== undefined);
  // Without a picture that may be shown it waits for staff.
  const fresh = seats.filter(
    (seat) => seat.shown !== "[]" && seat.ts_shown === null && !items.some((item) => isSeat(item, seat)),
  );
  const far = await chooseFar(ctx, fresh);
  const open = far.map((seat) => ({
    checked: seat.profile_id,
    version: seat.ts_started,
    pairs: pairUp(JSON.parse(seat.stills) as number[], shuffle(JSON.parse(seat.shown) as number[])),
  }));
  const knownLeft = open.length > 0 ? pack.knownLeft : pack.knownLeft - KNOWN_PER_PACK;
  if (items.length === 0 && open.length === 0 && knownLeft <= 0) requireAllowance({ ...pack, openLeft: 0 }, ctx.now);
  const isDrawn = knownLeft > 0 && (items.length === 0 || open.length > 0);
  const known = isDrawn ? await drawExercises(ctx) : [];
  const issued = await issueItems(ctx, "check", chooseItems<PackItem>(pack, open, known, KNOWN_PER_PACK));
  return shuffle([...items, ...issued]).flatMap((item) => {
    const pose = poseOf(item);
    return pose ? [{ itemId: item.itemId, pose }] : [];
  });
}

/**
 * Those of the checks whose members are in another region. The judge's first place decides for good: asked from many places, the border of the
 * region would tell where a member is.
 */
async function chooseFar<Seat extends { readonly profile_id: number; readonly key: CurveKey | null }>(
  ctx: MemberContext,
  seats: readonly Seat[],
): Promise<Seat[]> {
  const { db, viewer, now } = ctx;
  const { position } = viewer;
  // Without a place nobody knows, so nothing is shown yet.
  if (!position || position.ts_effective_until <= now) return [];
  const isFar = ({ key }: Seat) => key !== null && isElsewhere(position.key, key);
  const near = seats.filter((seat) => !isFar(seat)).map((seat) => seat.profile_id);
  if (near.length > 0)
    await db
      .updateTable("person_check_seat")
      .set({ ts_shown: 0 })
      .where("judge_id", "=", viewer.profileId)
      .where("profile_id", "in", near)
      .execute();
  return seats.filter(isFar);
}

/** Pairs of public pictures of members with the badge whom the player may see: of one of them, or of two. */
async function drawExercises(ctx: MemberContext): Promise<PackItem[]> {
  const many = await listAlbums(ctx, FIRST_PICTURES + 1);
  // In a small community, where staff decide every check, players practise with what there is.
  const albums = many.length > 1 ? many : await listAlbums(ctx, 2);
  const exercise = (known: CheckVote, first: readonly number[], second: readonly number[]): PackItem => {
    return { version: 0, known, pose: drawPose(Math.random), pairs: pairUp(first, second) };
  };
  const same = albums.map((album) => {
    const first = Math.min(FIRST_PICTURES, album.length - 1);
    return exercise("no_pose", album.slice(0, first), album.slice(first));
  });
  const different = albums
    .slice(1)
    .map((album, at) => exercise("not_him", album.slice(0, FIRST_PICTURES), albums[at]!));
  // As many of each, or the answer would be known from their number.
  const each = Math.min(same.length, different.length, 2);
  return shuffle([...same.slice(0, each), ...different.slice(0, each)]);
}

/** The compared pictures that are still public, of some members with the badge and at least so many of them. */
async function listAlbums(ctx: MemberContext, picturesMin: number): Promise<number[][]> {
  const { db, now } = ctx;
  const badges = db
    .selectFrom("person_check as k")
    .innerJoin("profile as p", "p.id", "k.profile_id")
    .select(["k.profile_id as id", "k.compared", "p.pics_public"])
    .where("k.ts_checked", "is not", null)
    .where("k.ts_checked", ">", now - CHECK_BADGE_MS)
    .where(sql<boolean>`json_array_length(k.compared) >= ${sql.lit(picturesMin)}`)
    .where(sql<boolean>`${sql.raw(CHECK_ALLOWED)}`)
    .where(visibleTo(ctx))
    .limit(CHECKED_READ);
  const start = sql<number>`abs(random()) % (1 + ifnull((select max(profile_id) from person_check), 0))`;
  const { at } = await db.selectNoFrom(start.as("at")).executeTakeFirstOrThrow();
  const found = await badges.where("k.profile_id", ">=", at).orderBy("k.profile_id").execute();
  const before = await badges.where("k.profile_id", "<", at).orderBy("k.profile_id", "desc").execute();
  return shuffle([...found, ...before]).flatMap(({ compared, pics_public }) => {
    const shown = new Set(JSON.parse(pics_public) as number[]);
    const album = shuffle(idsOf(compared).filter((id) => shown.has(id)));
    return album.length < picturesMin ? [] : [album];
  });
}

/**
 * A picture of an item of the player's pack: 0 and 1 are the first pair. Each is read once, or again within seconds, and exercises are sent as
 * checks are. Throws NOT_FOUND for any other.
 */
export async function sendCheckPicture(ctx: MemberContext, itemId: number, index: number): Promise<Response> {
  const item = await readOnce(ctx, itemId, index);
  const pictureId = item?.pairs?.[index >> 1]?.[index % 2];
  if (!item || pictureId === undefined) throw new AppError("NOT_FOUND");
  const picture = await (item.checked === undefined
    ? findVisiblePicture(ctx, pictureId)
    : openSeats(ctx)
        .innerJoin("picture as pic", "pic.profile_id", "s.profile_id")
        .select(["pic.id", "pic.version", "pic.profile_id", "pic.audience", "pic.width"])
        .where("s.profile_id", "=", item.checked)
        .where("k.ts_started", "=", item.version)
        .where("pic.id", "=", pictureId)
        .where(isCompared())
        .executeTakeFirst());
  if (!picture || ("own" in picture && (picture.covered || picture.withheld || picture.nsfw)))
    throw new AppError("NOT_FOUND");
  const shown = await getShownVariant(ctx, picture, variantFor(PICTURE_WIDTHS_PX[1], picture.width));
  if (!shown) throw new AppError("NOT_FOUND");
  return sendBytes(shown.body as BodyInit);
}

/**
 * The item, if this picture of it may be read now, which is stored before its bytes are sent. Of the items of one check, which a judge can draw
 * on each brand and day, only the one that was read first can be.
 */
async function readOnce(ctx: MemberContext, itemId: number, index: number): Promise<PackItem | undefined> {
  const { db, viewer, now } = ctx;
  const item = itemPath(itemId);
  const at = (key: string) => sql<number | null>`items -> ${item} ->> ${`$.${key}`}`;
  const [first, read] = [at("shown"), at(`reads."${index}"`)];
  // D1 binds every number as a float, which JSON would show.
  const time = sql`cast(${now} as integer)`;
  const marks = sql`json_object('shown', ifnull(${first}, ${time}), 'reads', json_object(${String(index)}, ifnull(${read}, ${time})))`;
  const isFirst = sql<boolean>`(${at("checked")} is null or ${first} is not null or exists (select 1 from person_check_seat s
    where s.profile_id = ${at("checked")} and s.judge_id = ${viewer.profileId} and s.ts_shown is null))`;
  const stored = db
    .updateTable("game_pack")
    .set({ items: sql<string>`json_patch(items, json_object(${String(itemId)}, ${marks}))` })
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", "check")
    .where("day", ">=", dayOf(now) - PACK_DAYS_KEPT)
    .where(sql<boolean>`items -> ${item} is not null`)
    .where(isFirst)
    .where(sql<boolean>`ifnull(${first}, ${now}) > ${now - CHECK_SERVED_MS}`)
    .where(sql<boolean>`ifnull(${read}, ${now}) > ${now - CHECK_READ_AGAIN_MS}`)
    .returning(sql<string>`items -> ${item}`.as("item"));
  const checked = sql<number>`(select items -> ${item} ->> 'checked' from game_pack where profile_id = ${viewer.profileId}
    and game = 'check' and items -> ${item} is not null)`;
  const shown = db
    .updateTable("person_check_seat")
    .set({ ts_shown: now })
    .where("profile_id", "=", checked)
    .where("judge_id", "=", viewer.profileId)
    .where("ts_shown", "is", null);
  const [[row]] = await batch(ctx.d1, [stored, shown]);
  return row && (JSON.parse(row.item) as PackItem);
}

/**
 * Stores an answer. One without all pictures counts nothing, so that a lost network refuses nobody, and one whose check was decided meanwhile
 * changes nothing. Throws NOT_FOUND for an item that was not issued to the player or is answered.
 */
export function answerCheck(ctx: MemberContext, itemId: number, answer: CheckVote): Promise<VoteResult> {
  return retryIfOvertaken(() => tryAnswer(ctx, itemId, answer));
}

async function tryAnswer(ctx: MemberContext, itemId: number, answer: CheckVote): Promise<VoteResult> {
  const { db, viewer, now } = ctx;
  const item = await findPackItem(ctx, "check", itemId);
  const [[player], seats] = await batch(ctx.d1, [
    playerQuery(ctx, "check"),
    openSeats(ctx)
      .select("k.profile_id")
      .where("k.profile_id", "=", item?.checked ?? 0)
      .where("k.ts_started", "=", item?.version ?? 0),
  ]);
  if (!item || !player) throw new AppError("NOT_FOUND");
  const isSeen = Object.keys(item.reads ?? {}).length === 2 * PAIRS;
  const known = (isSeen && item.known) || null;
  const counted = countInRecord({ known, ts_drawn: item.ts_drawn }, player, answer, now);
  const queries: Query[] = [
    guardQuery(db, recordUnchanged(ctx, "check", counted.before)),
    consumeItemQuery(ctx, "check", itemId),
    upsertRecordQuery(ctx, "check", counted),
  ];
  const seat = isSeen ? seats[0] : undefined;
  if (seat && counted.weight >= WEIGHT_MIN)
    queries.push(
      db
        .updateTable("person_check_seat")
        .set({ answer: answer === "no_pose" ? "not_him" : answer })
        .where("profile_id", "=", seat.profile_id)
        .where("judge_id", "=", viewer.profileId)
        .where("answer", "is", null),
    );
  await batch(ctx.d1, queries);
  if (seat) await applyAnswers(ctx, seat.profile_id);
  const { after, accountAgeMs, streak, bestStreak, right } = counted;
  const record = toPlayerRecord(after, accountAgeMs, { streak, bestStreak, credits: player.credits });
  return { right, answer: known, settled: false, creditsEarned: 0, record };
}
