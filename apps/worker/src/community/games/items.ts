/** What is drawn for a player: packs of the two vote games. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { redact } from "../../social/profiles/redact.ts";
import { dailyStart, drawWithRetry, randomPictures, showable } from "./draw.ts";
import { KNOWN_TEXTS } from "./known-texts.ts";
import {
  chooseItems,
  dayOf,
  type IssuedItem,
  issueItems,
  type OpenPack,
  recentPacksQuery,
  requireAllowance,
  toOpenPack,
} from "./pack.ts";
import { type DrawnPicture, shuffle } from "./sample.ts";
import { randomKnownPicturesQuery, randomMembers } from "./statements/draws.ts";

/** Of a pack this many have a known answer: enough to know a player after a few days, too few to recognise. */
const KNOWN_PER_PACK = 3;
/** Known texts of each answer that may come into a pack. */
const KNOWN_TEXTS_PER_ANSWER = 2;
/** Members looked at for a pack: with nine, a draw read 63 rows from some places, and 60 is the goal. */
const MEMBERS_READ = 8;
const TEXT_SHOWN_CHARS = 600;

function judgedBy(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${ctx.viewer.profileId})`;
}

type PackRow = Parameters<typeof toOpenPack>[1][number];

/**
 * A pack of the Rating Game: what is left of the player's pack, or the next one of the day. Settled pictures come like others, so
 * that no answer stands against what members see later. Throws TOO_MANY_REQUESTS when the day's pictures were all judged.
 */
export async function drawRatingItems(ctx: MemberContext, nsfw: boolean): Promise<RatingItem[]> {
  const fits = sql<boolean>`not exists (select 1 from game_item i
    where i.game = 'rating' and i.picture_id = pic.id and i.version = pic.version and ${judgedBy(ctx)})`;
  const from = dailyStart(ctx, "rating", dayOf(ctx.now));
  let known: readonly DrawnPicture[] = [];
  let pack: OpenPack | undefined;
  const open = await drawWithRetry({ size: MEMBERS_READ, enough: 1, from }, async (sample) => {
    if (pack && (shownOf(pack, nsfw).length > 0 || pack.openLeft === 0)) return [];
    const answers = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
    const [packs, pictures, settled] = await batch<[PackRow[], DrawnPicture[], DrawnPicture[]]>(ctx.d1, [
      recentPacksQuery(ctx, "rating"),
      randomPictures(ctx, sample, { nsfw, fits, limit: sample.size }).compile(),
      randomKnownPicturesQuery(ctx, answers, from.pictureSeed, { judged: judgedBy(ctx), shown: showable(ctx, nsfw) }),
    ]);
    pack = toOpenPack(ctx, packs);
    const inPack = new Set(pack.left.map(({ picture }) => picture));
    known = settled.filter((row) => !inPack.has(row.picture_id));
    return pictures.filter(
      (row) => !inPack.has(row.picture_id) && !settled.some((one) => one.picture_id === row.picture_id),
    );
  });
  if (!pack) return [];
  const left = shownOf(pack, nsfw);
  if (left.length > 0) return left;
  requireAllowance(pack, ctx.now);
  const chosen = chooseItems(pack, open.map(toPacked), shuffle(known).map(toPacked), KNOWN_PER_PACK);
  return (await issueItems(ctx, "rating", chosen)).map(toRatingItem);
}

const toPacked = (row: DrawnPicture) => ({ picture: row.picture_id, version: row.version, nsfw: row.nsfw === 1 });
const toRatingItem = ({ itemId, nsfw }: IssuedItem): RatingItem => ({ itemId, nsfw: nsfw === true });

/** What is left and may be shown on this device. */
function shownOf({ left }: OpenPack, nsfw: boolean): RatingItem[] {
  return left.map(toRatingItem).filter((item) => nsfw || !item.nsfw);
}

/** A text costs five rows where a picture costs four. */
const TEXTS_MEMBERS_READ_AGAIN = 80;

interface TextRow {
  readonly id: number;
  readonly profile_name: string;
  readonly description: string;
  /** JSON: versions of this member's text that the player judged. */
  readonly judged: string;
}

/** A pack of GPT Buster!: texts of visible members, without what could name them, among texts whose origin is known. */
export async function drawBusterItems(ctx: MemberContext): Promise<BusterItem[]> {
  const candidates = BUSTER_ANSWERS.flatMap((answer) =>
    shuffle(KNOWN_TEXTS.filter((text) => text.known === answer)).slice(0, KNOWN_TEXTS_PER_ANSWER),
  );
  const judged = ctx.db
    .selectFrom(indexedBy("game_item", "i", "game_item_known_text"))
    .select("i.body")
    .where("i.game", "=", sql.lit("buster"))
    .where("i.subject_id", "is", null)
    .where(
      "i.body",
      "in",
      candidates.map(({ body }) => body),
    )
    .where(judgedBy(ctx));
  const judgedVersions = sql<string>`(select json_group_array(i.version) from game_item i indexed by game_item_text
    where i.game = 'buster' and i.subject_id = m.id and ${judgedBy(ctx)})`;
  let known = candidates;
  let pack: OpenPack | undefined;
  let left: BusterItem[] = [];
  const from = dailyStart(ctx, "buster", dayOf(ctx.now));
  const open = await drawWithRetry(
    { size: MEMBERS_READ, enough: 1, from, second: TEXTS_MEMBERS_READ_AGAIN },
    async (sample) => {
      if (pack && (left.length > 0 || pack.openLeft === 0)) return [];
      const columns = sql`p.profile_name, p.description`;
      const members = randomMembers<Omit<TextRow, "id" | "judged">>(ctx, "described", columns, sample);
      const [packs, texts, seen, inPack] = await batch<[PackRow[], TextRow[], { body: string }[], TextRow[]]>(ctx.d1, [
        recentPacksQuery(ctx, "buster"),
        ctx.db.selectFrom(members).selectAll("m").select(judgedVersions.as("judged")).compile(),
        judged.compile(),
        textsInPackQuery(ctx),
      ]);
      pack = toOpenPack(ctx, packs);
      left = shownTexts(pack, inPack);
      const handed = new Set(pack.left.map(({ subject }) => subject));
      known = candidates.filter(({ body }) => !seen.some((row) => row.body === body));
      return texts
        .map((row) => ({ ...row, version: versionOf(row.description) }))
        .filter((row) => !handed.has(row.id) && !(JSON.parse(row.judged) as number[]).includes(row.version));
    },
  );
  if (!pack) return [];
  if (left.length > 0) return left;
  requireAllowance(pack, ctx.now);
  const chosen = chooseItems<{ item: Parameters<typeof issueItems>[2]["open"][number]; text: string }>(
    pack,
    open.map((row) => ({ item: { subject: row.id, version: row.version }, text: shownText(row) })),
    shuffle(known).map(({ body, known: answer }) => ({ item: { version: 0, body, known: answer }, text: body })),
    KNOWN_PER_PACK,
  );
  const handed = await issueItems(ctx, "buster", {
    open: chosen.open.map(({ item }) => item),
    known: chosen.known.map(({ item }) => item),
  });
  const textOf = new Map(chosen.open.map(({ item, text }) => [item.subject, text]));
  return handed.map(({ itemId, body, subject }) => ({ itemId, text: body ?? textOf.get(subject) ?? "" }));
}

/** Texts that were handed to the player before: the pack holds no word of a member. */
function textsInPackQuery(ctx: MemberContext) {
  return ctx.db
    .selectFrom("game_pack as g")
    .crossJoin(sql<{ value: string }>`json_each(g.items)`.as("e"))
    .crossJoin("profile as p")
    .select(["p.id", "p.profile_name", "p.description", sql.lit("[]").as("judged")])
    .where("p.id", "=", sql<number>`e.value ->> 'subject'`)
    .where("g.profile_id", "=", ctx.viewer.profileId)
    .where("g.game", "=", "buster")
    .where("g.day", "=", dayOf(ctx.now))
    .where(visibleTo(ctx))
    .compile();
}

function shownTexts({ left }: OpenPack, texts: readonly TextRow[]): BusterItem[] {
  return left.flatMap(({ itemId, body, subject, version }) => {
    if (body !== undefined) return [{ itemId, text: body }];
    const row = texts.find(({ id, description }) => id === subject && versionOf(description) === version);
    return row ? [{ itemId, text: shownText(row) }] : [];
  });
}

function shownText({ description, profile_name: name }: TextRow): string {
  return redact(description, [name]).slice(0, TEXT_SHOWN_CHARS);
}

/** Another number for another text, so that an edited description is a new item. */
export function versionOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
