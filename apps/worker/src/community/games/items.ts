/** What is drawn for a player: packs of the two vote games. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { redact } from "../../social/profiles/redact.ts";
import {
  DRAWN_PICTURE,
  type DrawnPicture,
  lookTwice,
  placeOfDay,
  randomMembers,
  randomPictures,
  showable,
  shuffle,
} from "./draw.ts";
import { KNOWN_TEXTS } from "./known-texts.ts";
import { chooseItems, dayOf, findPacks, type HandedItem, handOut, refuseMore, type Table, toTable } from "./pack.ts";

/** Of a pack this many have a known answer: enough to know a player after a few days, too few to recognise. */
const KNOWN_PER_PACK = 3;
/** Known pictures looked at for each answer, of which the player may have judged some. */
const KNOWN_LOOKED_AT = 1;
/** Known texts of each answer that may come into a pack. */
const KNOWN_TEXTS_PER_ANSWER = 2;
/** Members looked at for a pack: up to four rows each, where the player has judged them all. */
const LOOKED_AT = 9;
const TEXT_SHOWN_CHARS = 600;

function judgedBy(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${ctx.viewer.profileId})`;
}

type PackRow = Parameters<typeof toTable>[1][number];

/**
 * A pack of the Rating Game: what is still on the player's table, or the next of the day. Settled pictures come like others, so
 * that no answer stands against what members see later. Throws TOO_MANY_REQUESTS when the day's pictures were all judged.
 */
export async function drawRatingItems(ctx: MemberContext, nsfw: boolean): Promise<RatingItem[]> {
  const fits = sql<boolean>`not exists (select 1 from game_item i
    where i.game = 'rating' and i.picture_id = pic.id and i.version = pic.version and ${judgedBy(ctx)})`;
  const from = placeOfDay(ctx, "rating", dayOf(ctx.now));
  let known: readonly DrawnPicture[] = [];
  let table: Table | undefined;
  const open = await lookTwice({ most: LOOKED_AT, enough: 1, from }, async (look) => {
    if (table && (shownOf(table, nsfw).length > 0 || table.openLeft === 0)) return [];
    const [packs, pictures, settled] = await batch<[PackRow[], DrawnPicture[], DrawnPicture[]]>(ctx.d1, [
      findPacks(ctx, "rating"),
      randomPictures(ctx, look, { nsfw, fits, limit: look.most }).compile(ctx.db),
      randomKnownPictures(ctx, nsfw, from.turn).compile(ctx.db),
    ]);
    table = toTable(ctx, packs);
    const onTable = new Set(table.left.map(({ picture }) => picture));
    known = settled.filter((row) => !onTable.has(row.picture_id));
    return pictures.filter(
      (row) => !onTable.has(row.picture_id) && !settled.some((one) => one.picture_id === row.picture_id),
    );
  });
  if (!table) return [];
  const left = shownOf(table, nsfw);
  if (left.length > 0) return left;
  refuseMore(table, ctx.now);
  const chosen = chooseItems(table, open.map(toPacked), shuffle(known).map(toPacked), KNOWN_PER_PACK);
  return (await handOut(ctx, "rating", chosen)).map(toRatingItem);
}

const toPacked = (row: DrawnPicture) => ({ picture: row.picture_id, version: row.version, nsfw: row.nsfw === 1 });
const toRatingItem = ({ itemId, nsfw }: HandedItem): RatingItem => ({ itemId, nsfw: nsfw === true });

/** What lies on the table and may be shown on this device. */
function shownOf({ left }: Table, nsfw: boolean): RatingItem[] {
  return left.map(toRatingItem).filter((item) => nsfw || !item.nsfw);
}

/** Pictures whose answer is certain, one for each answer, that the player did not judge: from a random place among them. */
function randomKnownPictures(ctx: MemberContext, nsfw: boolean, turn: number): RawBuilder<DrawnPicture> {
  const start = sql`${turn / 2 ** 32} * (select max(id) from game_item)`;
  const ofAnswer = (answer: string) => {
    const part = (side: RawBuilder<unknown>) =>
      sql`select * from (select i.id, i.picture_id, i.version from game_item i indexed by game_item_known
        where i.game = 'rating' and i.known = ${answer} and i.id ${side} limit ${sql.lit(KNOWN_LOOKED_AT)})`;
    return sql`select * from (select ${DRAWN_PICTURE}
      from (select * from (${part(sql`>= ${start} order by i.id`)} union all ${part(sql`< ${start} order by i.id desc`)}
        limit ${sql.lit(2 * KNOWN_LOOKED_AT)}) i where not ${judgedBy(ctx)}) i
      cross join picture pic on pic.id = i.picture_id and pic.version = i.version
      cross join profile p on p.id = pic.profile_id
      where ${showable(nsfw)} and ${visibleTo(ctx)} limit 1)`;
  };
  const answers = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
  return sql<DrawnPicture>`${sql.join(answers.map(ofAnswer), sql` union all `)}`;
}

/** A text costs five rows where a picture costs four. */
const TEXTS_LOOKED_AT_AGAIN = 80;

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
  let table: Table | undefined;
  let left: BusterItem[] = [];
  const from = placeOfDay(ctx, "buster", dayOf(ctx.now));
  const open = await lookTwice({ most: LOOKED_AT, enough: 1, from, second: TEXTS_LOOKED_AT_AGAIN }, async (look) => {
    if (table && (left.length > 0 || table.openLeft === 0)) return [];
    const members = randomMembers(ctx, "described", sql`p.profile_name, p.description`, look);
    const [packs, texts, seen, onTable] = await batch<[PackRow[], TextRow[], { body: string }[], TextRow[]]>(ctx.d1, [
      findPacks(ctx, "buster"),
      sql`select m.*, (select json_group_array(i.version) from game_item i indexed by game_item_text
          where i.game = 'buster' and i.subject_id = m.id and ${judgedBy(ctx)}) as judged from ${members} m`.compile(
        ctx.db,
      ),
      judged.compile(ctx.db),
      textsOnTable(ctx).compile(ctx.db),
    ]);
    table = toTable(ctx, packs);
    left = shownTexts(table, onTable);
    const handed = new Set(table.left.map(({ subject }) => subject));
    known = candidates.filter(({ body }) => !seen.some((row) => row.body === body));
    return texts
      .map((row) => ({ ...row, version: versionOf(row.description) }))
      .filter((row) => !handed.has(row.id) && !(JSON.parse(row.judged) as number[]).includes(row.version));
  });
  if (!table) return [];
  if (left.length > 0) return left;
  refuseMore(table, ctx.now);
  const chosen = chooseItems<{ item: Parameters<typeof handOut>[2]["open"][number]; text: string }>(
    table,
    open.map((row) => ({ item: { subject: row.id, version: row.version }, text: shownText(row) })),
    shuffle(known).map(({ body, known: answer }) => ({ item: { version: 0, body, known: answer }, text: body })),
    KNOWN_PER_PACK,
  );
  const handed = await handOut(ctx, "buster", {
    open: chosen.open.map(({ item }) => item),
    known: chosen.known.map(({ item }) => item),
  });
  const textOf = new Map(chosen.open.map(({ item, text }) => [item.subject, text]));
  return handed.map(({ itemId, body, subject }) => ({ itemId, text: body ?? textOf.get(subject) ?? "" }));
}

/** Texts that were handed to the player before: the pack holds no word of a member. */
function textsOnTable(ctx: MemberContext): RawBuilder<TextRow> {
  return sql<TextRow>`select p.id, p.profile_name, p.description, '[]' as judged
    from game_pack g, json_each(g.items) e cross join profile p on p.id = e.value ->> 'subject'
    where g.profile_id = ${ctx.viewer.profileId} and g.game = 'buster' and g.day = ${dayOf(ctx.now)} and ${visibleTo(ctx)}`;
}

function shownTexts({ left }: Table, texts: readonly TextRow[]): BusterItem[] {
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
