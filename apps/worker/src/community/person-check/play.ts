/** The game of those who compare: checks that they were drawn for, among exercises with known answers. */

import type { VoteResult } from "@lambda/contract/games";
import { CHECK_BADGE_MS, CHECK_SERVED_MS, PICTURE_WIDTHS_PX } from "@lambda/contract/limits";
import type { CheckAnswer, PersonCheckItem } from "@lambda/contract/person-check";
import { PersonCheckPose } from "@lambda/contract/person-check";
import type { CurveKey } from "@lambda/geo/curve";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { CHECK_ALLOWED } from "../../members/checked/is-checked.ts";
import { comparedBy, visibleTo } from "../../members/visibility/visibility.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { guardQuery, isGuardFailure } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import { shuffle } from "../../platform/shuffle.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { variantFor } from "../../social/pictures/encode.ts";
import { sendPicture } from "../../social/pictures/routes.ts";
import { getShownVariant } from "../../social/pictures/store.ts";
import {
  chooseItems,
  consumeItemQuery,
  type IssuedItem,
  issueItems,
  itemPath,
  PACK_DAYS_KEPT,
  type PackItem,
  recentPacksQuery,
  requireAllowance,
  toOpenPack,
} from "../games/pack.ts";
import { type PlayerRow, playerQuery, toPlayerRecord } from "../games/record.ts";
import { countInRecord, recordUnchanged, upsertRecordQuery } from "../games/vote.ts";
import { isCompared } from "./compared.ts";
import { applyAnswers, isElsewhere } from "./panel.ts";

type Pair = readonly [number, number];
type Pairs = readonly Pair[];

const PAIRS = 3;
/** Exercises per pack. */
const KNOWN_PER_PACK = 3;
const CHECKED_READ = 8;
/** Votes with less weight count as silence. */
const WEIGHT_MIN = 0.5;
const ATTEMPTS_MAX = 8;

/** The viewer's seats whose checks can be judged now. */
function openSeats({ db, viewer }: MemberContext) {
  return db
    .selectFrom("person_check_seat as s")
    .innerJoin("person_check as k", "k.profile_id", "s.profile_id")
    .innerJoin("profile as p", "p.id", "s.profile_id")
    .where("s.judge_id", "=", viewer.profileId)
    .where("s.answer", "is", null)
    .where("s.seat", "is not", null)
    .where("k.state", "=", "judging")
    .where(sql<boolean>`${sql.raw(CHECK_ALLOWED)}`)
    .where(comparedBy(viewer.profileId));
}

/** Pairs each of the first pictures with one of the second, over again if there are fewer. */
const pairUp = (first: readonly number[], second: readonly number[]): Pairs =>
  Array.from({ length: PAIRS }, (_, index) => [first[index % first.length]!, second[index % second.length]!]);

const idsOf = (compared: string) => (JSON.parse(compared) as string[]).map((entry) => Number(entry.split(":")[0]));

/** The rest of the player's pack with new checks, or a pack of exercises. Throws TOO_MANY_REQUESTS when nothing is left for today. */
export async function drawChecks(ctx: MemberContext): Promise<PersonCheckItem[]> {
  const [packs, seats] = await batch<[Parameters<typeof toOpenPack>[1][number][], SeatRow[]]>(ctx.d1, [
    recentPacksQuery(ctx, "check"),
    openSeats(ctx)
      .select(["k.profile_id", "k.stills", "k.compared", "k.pose", "k.key", "k.ts_started", "s.ts_shown"])
      .compile(),
  ]);
  const pack = toOpenPack(ctx, packs);
  const isSeat = ({ checked, version }: PackItem, seat: SeatRow) =>
    checked === seat.profile_id && version === seat.ts_started;
  // A check that was decided since is no longer in the pack.
  const items = pack.items.filter((item) => item.checked === undefined || seats.some((seat) => isSeat(item, seat)));
  const fresh = seats.filter((seat) => seat.ts_shown === null && !items.some((item) => isSeat(item, seat)));
  const far = await chooseFar(ctx, fresh);
  const open = far.map((seat) => ({
    checked: seat.profile_id,
    version: seat.ts_started,
    pairs: pairUp(JSON.parse(seat.stills) as number[], shuffle(idsOf(seat.compared))),
  }));
  if (items.length === 0 && open.length === 0 && pack.knownLeft === 0)
    requireAllowance({ ...pack, openLeft: 0 }, ctx.now);
  const known = items.length === 0 && pack.knownLeft > 0 ? await drawExercises(ctx) : [];
  const issued = await issueItems(ctx, "check", chooseItems<PackItem>(pack, open, known, KNOWN_PER_PACK));
  const poseOf = (item: IssuedItem) => {
    const seat = seats.find((one) => isSeat(item, one));
    return seat ? PersonCheckPose.parse(JSON.parse(seat.pose)) : null;
  };
  return shuffle([...items, ...issued]).map((item) => ({ itemId: item.itemId, pose: poseOf(item) }));
}

interface SeatRow {
  readonly profile_id: number;
  readonly stills: string;
  readonly compared: string;
  readonly pose: string;
  readonly key: CurveKey | null;
  readonly ts_started: number;
  readonly ts_shown: number | null;
}

/**
 * Those of the checks whose members are in another region. The judge's first place decides for good: asked from many places, the border of the
 * region would tell where a member is.
 */
async function chooseFar(ctx: MemberContext, seats: readonly SeatRow[]): Promise<SeatRow[]> {
  const { db, viewer, now } = ctx;
  const { position } = viewer;
  // Without a place nobody knows, so nothing is shown yet.
  if (!position || position.ts_effective_until <= now) return [];
  const isFar = ({ key }: SeatRow) => key !== null && isElsewhere(position.key, key);
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
  const { db, now } = ctx;
  const badges = db
    .selectFrom("person_check as k")
    .innerJoin("profile as p", "p.id", "k.profile_id")
    .select(["k.profile_id as id", "k.compared", "p.pics_public"])
    .where("k.ts_checked", "is not", null)
    .where("k.ts_checked", ">", now - CHECK_BADGE_MS)
    .where(visibleTo(ctx))
    .limit(CHECKED_READ);
  const start = sql<number>`abs(random()) % (1 + ifnull((select max(profile_id) from person_check), 0))`;
  const { at } = await db.selectNoFrom(start.as("at")).executeTakeFirstOrThrow();
  const found = await badges.where("k.profile_id", ">=", at).orderBy("k.profile_id").execute();
  const before = await badges.where("k.profile_id", "<", at).orderBy("k.profile_id", "desc").execute();
  const men = shuffle([...found, ...before]).map(({ compared, pics_public }) => {
    const shown = new Set(JSON.parse(pics_public) as number[]);
    return shuffle(idsOf(compared).filter((id) => shown.has(id)));
  });
  const several = men.filter((pictures) => pictures.length > 1);
  const same = several.map((pictures): PackItem => {
    const half = Math.ceil(pictures.length / 2);
    return { version: 0, known: "him", pairs: pairUp(pictures.slice(0, half), pictures.slice(half)) };
  });
  const pictured = men.filter((pictures) => pictures.length > 0);
  const different = pictured.slice(1).map((pictures, index): PackItem => {
    return { version: 0, known: "not_him", pairs: pairUp(pictures, pictured[index]!) };
  });
  // As many of each, or the answer would be known from their number.
  const each = Math.min(same.length, different.length, 2);
  return shuffle([...same.slice(0, each), ...different.slice(0, each)]);
}

/** A picture of an item of the player's pack: 0 and 1 are the first pair. Throws NOT_FOUND for any other. */
export async function sendCheckPicture(ctx: MemberContext, itemId: number, index: number): Promise<Response> {
  const item = await findPackItem(ctx, itemId);
  const pictureId = item?.pairs?.[index >> 1]?.[index % 2];
  if (!item || pictureId === undefined) throw new AppError("NOT_FOUND");
  if (item.checked === undefined) {
    const scale = String(PICTURE_WIDTHS_PX[1]);
    return sendPicture(ctx, pictureId, { scale, name: `check-${itemId}-${index}` });
  }
  const picture = await openSeats(ctx)
    .innerJoin("picture as pic", "pic.profile_id", "s.profile_id")
    .select(["pic.id", "pic.version", "pic.profile_id", "pic.audience", "pic.width"])
    .where("s.profile_id", "=", item.checked)
    .where("k.ts_started", "=", item.version)
    .where("pic.id", "=", pictureId)
    .where(isCompared())
    .where(sql<boolean>`(s.ts_shown is null or s.ts_shown > ${ctx.now - CHECK_SERVED_MS})`)
    .executeTakeFirst();
  if (!picture) throw new AppError("NOT_FOUND");
  await ctx.db
    .updateTable("person_check_seat")
    .set({ ts_shown: sql<number>`ifnull(ts_shown, ${ctx.now})` })
    .where("profile_id", "=", item.checked)
    .where("judge_id", "=", ctx.viewer.profileId)
    .execute();
  const shown = await getShownVariant(ctx, picture, variantFor(PICTURE_WIDTHS_PX[1], picture.width));
  if (!shown) throw new AppError("NOT_FOUND");
  const headers = { "content-type": "image/webp", "cache-control": "private, no-store" };
  return new Response(shown.body as BodyInit, { headers });
}

async function findPackItem(
  { db, viewer, now }: MemberContext,
  itemId: number,
): Promise<(PackItem & { ts_drawn: number }) | undefined> {
  const stored = sql<string | null>`items -> ${itemPath(itemId)}`;
  const row = await db
    .selectFrom("game_pack")
    .select(stored.as("item"))
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", "check")
    .where("day", ">=", dayOf(now) - PACK_DAYS_KEPT)
    .where(stored, "is not", null)
    .executeTakeFirst();
  return row?.item ? (JSON.parse(row.item) as PackItem & { ts_drawn: number }) : undefined;
}

/** Stores an answer. Throws NOT_FOUND for an item that was not issued to the player, is answered, or was decided meanwhile. */
export async function answerCheck(ctx: MemberContext, itemId: number, answer: CheckAnswer): Promise<VoteResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryAnswer(ctx, itemId, answer);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isGuardFailure(error)) throw error;
    }
  }
}

async function tryAnswer(ctx: MemberContext, itemId: number, answer: CheckAnswer): Promise<VoteResult> {
  const { db, viewer, now } = ctx;
  const item = await findPackItem(ctx, itemId);
  const [[player], seats] = await batch<[PlayerRow[], { profile_id: number }[]]>(ctx.d1, [
    playerQuery(ctx, "check"),
    openSeats(ctx)
      .select("k.profile_id")
      .where("k.profile_id", "=", item?.checked ?? 0)
      .where("k.ts_started", "=", item?.version ?? 0)
      .compile(),
  ]);
  if (!item || !player) throw new AppError("NOT_FOUND");
  if (item.checked !== undefined && seats.length === 0) {
    await batch(ctx.d1, [consumeItemQuery(ctx, "check", itemId)]);
    throw new AppError("NOT_FOUND");
  }
  const known = item.known ?? null;
  const counted = countInRecord({ known, ts_drawn: item.ts_drawn }, player, answer, now);
  const queries: Compiled[] = [
    guardQuery(db, recordUnchanged(ctx, "check", counted.before)),
    consumeItemQuery(ctx, "check", itemId),
    upsertRecordQuery(ctx, "check", counted),
  ];
  if (item.checked !== undefined && counted.weight >= WEIGHT_MIN)
    queries.push(
      db
        .updateTable("person_check_seat")
        .set({ answer })
        .where("profile_id", "=", item.checked)
        .where("judge_id", "=", viewer.profileId)
        .where("answer", "is", null)
        .where("seat", "is not", null)
        .compile(),
    );
  await batch(ctx.d1, queries);
  if (item.checked !== undefined) await applyAnswers(ctx, item.checked);
  const { after, accountAgeMs, streak, bestStreak, right } = counted;
  const record = toPlayerRecord(after, accountAgeMs, { streak, bestStreak, credits: player.credits });
  return { right, answer: known, settled: false, creditsEarned: 0, record };
}
