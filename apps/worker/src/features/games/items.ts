/** What is drawn for a player: packs of the two vote games. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { CONSENSUS_VOTES_MAX, GAME_PACK_SIZE } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { batch } from "../../db/batch.ts";
import type { MemberContext } from "../../trpc.ts";
import { redact } from "../reports/redact.ts";
import { visibleTo } from "../visibility/visible.ts";
import {
  DRAWN_PICTURE,
  type DrawnPicture,
  lookTwice,
  randomMembers,
  randomPictures,
  showable,
  shuffle,
} from "./draw.ts";
import { KNOWN_TEXTS } from "./known-texts.ts";
import { handOut } from "./pack.ts";

/** Of a pack of pictures this many have a known answer: enough to know a player after two packs, too few to recognise. */
const KNOWN_PER_PACK = 2;
/** Known pictures looked at for each answer, of which the player may have judged some. */
const KNOWN_LOOKED_AT = 2;
/** Known texts of each answer in a pack. */
const KNOWN_TEXTS_PER_ANSWER = 2;
/** Members looked at for a pack: up to four rows each, where the player has judged them all. */
const LOOKED_AT = 10;

/** Closed to the player: a row `i` of game_item that is settled, left alone, or judged by him. */
function closedTo(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`(i.answer is not null or i.votes >= ${sql.lit(CONSENSUS_VOTES_MAX)} or ${judgedBy(ctx)})`;
}

function judgedBy(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${ctx.viewer.profileId})`;
}

/** A pack of the Rating Game. */
export async function drawRatingItems(ctx: MemberContext, nsfw: boolean): Promise<RatingItem[]> {
  const fits = sql<boolean>`not exists (select 1 from game_item i
    where i.game = 'rating' and i.picture_id = pic.id and i.version = pic.version and ${closedTo(ctx)})`;
  const limit = GAME_PACK_SIZE - KNOWN_PER_PACK;
  let known: readonly DrawnPicture[] = [];
  const open = await lookTwice({ most: LOOKED_AT, enough: 1 }, async (look) => {
    const [pictures, settled] = await batch<[DrawnPicture[], DrawnPicture[]]>(ctx.d1, [
      randomPictures(ctx, look, { nsfw, fits, limit }).compile(ctx.db),
      randomKnownPictures(ctx, nsfw).compile(ctx.db),
    ]);
    known = settled;
    return pictures;
  });
  return handOut(
    ctx,
    "rating",
    shuffle([...known, ...open]).map((row) => ({
      item: { picture: row.picture_id, version: row.version },
      shown: { nsfw: row.nsfw === 1 },
    })),
  );
}

/** Pictures whose answer is settled, one for each of some answers, that he did not judge: from random places among them. */
function randomKnownPictures(ctx: MemberContext, nsfw: boolean): RawBuilder<DrawnPicture> {
  const start = sql`${Math.random()} * (select max(id) from game_item)`;
  const ofAnswer = (answer: string) => {
    const part = (side: RawBuilder<unknown>) =>
      sql`select * from (select i.id, i.picture_id, i.version from game_item i indexed by game_item_known
        where i.game = 'rating' and i.known = ${answer} and i.id ${side} limit ${sql.lit(KNOWN_LOOKED_AT)})`;
    return sql`select * from (select ${DRAWN_PICTURE}
      from (select * from (${part(sql`>= ${start} order by i.id`)} union all ${part(sql`< ${start} order by i.id desc`)}
        limit ${sql.lit(KNOWN_LOOKED_AT)}) i where not ${judgedBy(ctx)}) i
      cross join picture pic on pic.id = i.picture_id and pic.version = i.version
      cross join profile p on p.id = pic.profile_id
      where ${showable(nsfw)} and ${visibleTo(ctx)} limit 1)`;
  };
  const answers = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
  return sql<DrawnPicture>`${sql.join(answers.map(ofAnswer), sql` union all `)}`;
}

interface TextRow {
  readonly id: number;
  readonly profile_name: string;
  readonly description: string;
  /** JSON: versions of his text that are closed to the player. */
  readonly closed: string;
}

/** A pack of GPT Buster!: texts of visible members, without what could name them, among texts whose origin is known. */
export async function drawBusterItems(ctx: MemberContext): Promise<BusterItem[]> {
  const candidates = BUSTER_ANSWERS.flatMap((answer) =>
    shuffle(KNOWN_TEXTS.filter((text) => text.known === answer)).slice(0, KNOWN_TEXTS_PER_ANSWER),
  );
  const judged = sql`select i.body from game_item i indexed by game_item_known_text where i.game = 'buster' and i.subject_id is null
    and i.body in (${sql.join(candidates.map(({ body }) => body))}) and ${judgedBy(ctx)}`;
  let known = candidates;
  const open = await lookTwice({ most: LOOKED_AT, enough: 1 }, async ({ most }) => {
    const members = randomMembers(ctx, "described", sql`p.profile_name, p.description`, most);
    const [texts, seen] = await batch<[TextRow[], { body: string }[]]>(ctx.d1, [
      sql`select m.*, (select json_group_array(i.version) from game_item i indexed by game_item_text
          where i.game = 'buster' and i.subject_id = m.id and ${closedTo(ctx)}) as closed from ${members} m`.compile(
        ctx.db,
      ),
      judged.compile(ctx.db),
    ]);
    known = candidates.filter(({ body }) => !seen.some((row) => row.body === body));
    return texts
      .map((row) => ({ ...row, version: versionOf(row.description) }))
      .filter(({ closed, version }) => !(JSON.parse(closed) as number[]).includes(version));
  });
  const items = [
    ...known.map(({ body, known: answer }) => ({ item: { version: 0, body, known: answer }, shown: { text: body } })),
    ...open.map(({ id, version, description, profile_name: name }) => ({
      item: { subject: id, version },
      shown: { text: redact(description, [name]).slice(0, 600) },
    })),
  ];
  return handOut(ctx, "buster", shuffle(items.slice(0, GAME_PACK_SIZE)));
}

/** Another number for another text, so that an edited description is a new item. */
export function versionOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
