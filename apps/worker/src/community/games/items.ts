/** What is drawn for a player: packs of the two vote games. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { redact } from "../../social/profiles/redact.ts";
import {
  DRAWN_PICTURE_COLUMNS,
  type DrawnPicture,
  dailyStart,
  drawWithRetry,
  randomMembers,
  randomPictures,
  showable,
  shuffle,
} from "./draw.ts";
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

/** Of a pack this many have a known answer: enough to know a player after a few days, too few to recognise. */
const KNOWN_PER_PACK = 3;
/** Known pictures looked at for each answer, of which the player may have judged some. */
const KNOWN_PICTURES_READ = 1;
/** Known texts of each answer that may come into a pack. */
const KNOWN_TEXTS_PER_ANSWER = 2;
/** Members looked at for a pack: up to four rows each, where the player has judged them all. */
const MEMBERS_READ = 9;
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
    const [packs, pictures, settled] = await batch<[PackRow[], DrawnPicture[], DrawnPicture[]]>(ctx.d1, [
      recentPacksQuery(ctx, "rating"),
      randomPictures(ctx, sample, { nsfw, fits, limit: sample.size }).compile(ctx.db),
      randomKnownPictures(ctx, nsfw, from.pictureSeed).compile(ctx.db),
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

/** Pictures whose answer is certain, one for each answer, that the player did not judge: from a random place among them. */
function randomKnownPictures(ctx: MemberContext, nsfw: boolean, pictureSeed: number): RawBuilder<DrawnPicture> {
  const start = sql`${pictureSeed / 2 ** 32} * (select max(id) from game_item)`;
  const ofAnswer = (answer: string) => {
    const part = (side: RawBuilder<unknown>) =>
      sql`select * from (select i.id, i.picture_id, i.version from game_item i indexed by game_item_known
        where i.game = 'rating' and i.known = ${answer} and i.id ${side} limit ${sql.lit(KNOWN_PICTURES_READ)})`;
    return sql`select * from (select ${DRAWN_PICTURE_COLUMNS}
      from (select * from (${part(sql`>= ${start} order by i.id`)} union all ${part(sql`< ${start} order by i.id desc`)}
        limit ${sql.lit(2 * KNOWN_PICTURES_READ)}) i where not ${judgedBy(ctx)}) i
      cross join picture pic on pic.id = i.picture_id and pic.version = i.version
      cross join profile p on p.id = pic.profile_id
      where ${showable(nsfw)} and ${visibleTo(ctx)} limit 1)`;
  };
  const answers = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
  return sql<DrawnPicture>`${sql.join(answers.map(ofAnswer), sql` union all `)}`;
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
  const judged = sql`select i.body from game_item i indexed by game_item_known_text where i.game = 'buster' and i.subject_id is null
    and i.body in (${sql.join(candidates.map(({ body }) => body))}) and ${judgedBy(ctx)}`;
  let known = candidates;
  let pack: OpenPack | undefined;
  let left: BusterItem[] = [];
  const from = dailyStart(ctx, "buster", dayOf(ctx.now));
  const open = await drawWithRetry(
    { size: MEMBERS_READ, enough: 1, from, second: TEXTS_MEMBERS_READ_AGAIN },
    async (sample) => {
      if (pack && (left.length > 0 || pack.openLeft === 0)) return [];
      const members = randomMembers(ctx, "described", sql`p.profile_name, p.description`, sample);
      const [packs, texts, seen, inPack] = await batch<[PackRow[], TextRow[], { body: string }[], TextRow[]]>(ctx.d1, [
        recentPacksQuery(ctx, "buster"),
        sql`select m.*, (select json_group_array(i.version) from game_item i indexed by game_item_text
          where i.game = 'buster' and i.subject_id = m.id and ${judgedBy(ctx)}) as judged from ${members} m`.compile(
          ctx.db,
        ),
        judged.compile(ctx.db),
        textsInPack(ctx).compile(ctx.db),
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
function textsInPack(ctx: MemberContext): RawBuilder<TextRow> {
  return sql<TextRow>`select p.id, p.profile_name, p.description, '[]' as judged
    from game_pack g, json_each(g.items) e cross join profile p on p.id = e.value ->> 'subject'
    where g.profile_id = ${ctx.viewer.profileId} and g.game = 'buster' and g.day = ${dayOf(ctx.now)} and ${visibleTo(ctx)}`;
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
