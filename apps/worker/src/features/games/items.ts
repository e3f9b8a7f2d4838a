import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { CONSENSUS_VOTES_MAX, GAME_PACK_SIZE, GUESSED_TEXT_MIN_CHARS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch } from "../../db/batch.ts";
import type { MemberContext } from "../../trpc.ts";
import { redact } from "../reports/redact.ts";
import { visibleTo } from "../visibility/visible.ts";
import { drawMembers, drawPictures, shuffle } from "./draw.ts";
import { KNOWN_TEXTS } from "./known-texts.ts";

/** Of a pack this many have a known answer: enough to know a player after two packs, too few to recognise. */
const KNOWN_PER_PACK = 2;

/** A pack of the Rating Game. */
export async function drawRatingItems(ctx: MemberContext, nsfw: boolean): Promise<RatingItem[]> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  // Not voted on by him in this version, and still open.
  const fits = sql<boolean>`not exists (select 1 from game_item i where i.game = 'rating' and i.picture_id = pic.id and i.version = pic.version
    and (i.answer is not null or i.votes >= ${sql.lit(CONSENSUS_VOTES_MAX)}
      or exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${me})))`;
  const pictures = await drawPictures(ctx, { nsfw, fits, limit: GAME_PACK_SIZE });
  const list = JSON.stringify(pictures);
  const known = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
  const [, , items] = await batch<[unknown[], unknown[], { id: number; picture_id: number; nsfw: number }[]]>(ctx.d1, [
    sql`insert into game_item (game, picture_id, subject_id, version, ts_created)
      select 'rating', value ->> 'picture_id', value ->> 'owner_id', value ->> 'version', ${now} from json_each(${list}) where true
      on conflict (game, picture_id, version) do nothing`.compile(db),
    sql`insert into game_draw (profile_id, item_id, ts_drawn)
      select ${me}, i.id, ${now} from json_each(${list}) j join game_item i
        on i.game = 'rating' and i.picture_id = j.value ->> 'picture_id' and i.version = j.value ->> 'version'
      union
      select ${me}, k.id, ${now} from json_each(${JSON.stringify(known)}) a join game_item k on k.id in (
        select i.id from game_item i join picture pic on pic.id = i.picture_id and pic.version = i.version
          join profile p on p.id = pic.profile_id
        where i.game = 'rating' and i.known = a.value and pic.audience = 'public' and pic.hidden_by_staff = 0 and ${visibleTo(ctx)}
          and (${nsfw ? 1 : 0} = 1 or (pic.nsfw_owner = 0 and pic.nsfw_community = 0))
          and not exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${me})
        order by i.id desc limit 1)
      on conflict (profile_id, item_id) do update set ts_drawn = excluded.ts_drawn`.compile(db),
    sql`select i.id, i.picture_id, pic.nsfw_owner | pic.nsfw_community as nsfw from game_draw d
      join game_item i on i.id = d.item_id join picture pic on pic.id = i.picture_id
      where d.profile_id = ${me} and d.ts_drawn = ${now} and i.game = 'rating'`.compile(db),
  ]);
  return shuffle(items).map((item) => ({ itemId: item.id, pictureId: item.picture_id, nsfw: item.nsfw === 1 }));
}

/** A pack of GPT Buster!: texts of visible members, without what could name them, among texts whose origin is known. */
export async function drawBusterItems(ctx: MemberContext): Promise<BusterItem[]> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  const ids = await drawMembers(
    ctx,
    sql<boolean>`length(p.description) >= ${sql.lit(GUESSED_TEXT_MIN_CHARS)}`,
    GAME_PACK_SIZE,
  );
  const { rows: members } = await sql<{ id: number; profile_name: string; description: string }>`
    select id, profile_name, description from profile where id in (select value from json_each(${JSON.stringify(ids)}))`.execute(
    db,
  );
  const texts = members.map((member) => ({
    subject: member.id,
    version: versionOf(member.description),
    body: redact(member.description, [member.profile_name]).slice(0, 600),
  }));
  const known = BUSTER_ANSWERS.flatMap((answer) =>
    shuffle(KNOWN_TEXTS.filter((text) => text.known === answer)).slice(0, KNOWN_PER_PACK + 2),
  );
  const list = JSON.stringify(texts);
  const [, , , items] = await batch<[unknown[], unknown[], unknown[], { id: number; body: string }[]]>(ctx.d1, [
    sql`insert into game_item (game, subject_id, version, body, ts_created)
      select 'buster', value ->> 'subject', value ->> 'version', value ->> 'body', ${now} from json_each(${list}) where true
      on conflict do nothing`.compile(db),
    sql`insert into game_item (game, version, body, known, ts_created)
      select 'buster', 0, value ->> 'body', value ->> 'known', ${now} from json_each(${JSON.stringify(known)}) where true
      on conflict do nothing`.compile(db),
    sql`insert into game_draw (profile_id, item_id, ts_drawn)
      select ${me}, i.id, ${now} from json_each(${list}) j join game_item i
        on i.game = 'buster' and i.subject_id = j.value ->> 'subject' and i.version = j.value ->> 'version'
      where i.answer is null and i.votes < ${sql.lit(CONSENSUS_VOTES_MAX)}
        and not exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${me})
      union
      select ${me}, i.id, ${now} from json_each(${JSON.stringify(known)}) j join game_item i
        on i.game = 'buster' and i.subject_id is null and i.body = j.value ->> 'body'
      where not exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${me})
      on conflict (profile_id, item_id) do update set ts_drawn = excluded.ts_drawn`.compile(db),
    sql`select i.id, i.body from game_draw d join game_item i on i.id = d.item_id
      where d.profile_id = ${me} and d.ts_drawn = ${now} and i.game = 'buster' limit ${sql.lit(GAME_PACK_SIZE)}`.compile(
      db,
    ),
  ]);
  return shuffle(items).map((item) => ({ itemId: item.id, text: item.body }));
}

/** Another number for another text, so that an edited description is a new item. */
function versionOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
