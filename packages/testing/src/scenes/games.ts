/** For tests: players with a record, pictures to judge, and days that pass. */
import { CONSENSUS_SPAN_MS, CONSENSUS_VOTERS_MIN, CONSENSUS_VOTES_MIN, DAY_MS } from "@lambda/contract/limits";
import { expect } from "vitest";
import { as, type TestMember } from "../member.ts";
import type { TestWorker } from "../worker.ts";

/** As a threat: old enough for everything that age is asked for. */
const AGE_DAYS = 40;

export interface Item {
  itemId: number;
  text: string;
}

export async function addPicture(
  worker: TestWorker,
  owner: TestMember,
  marks: { nsfw?: boolean; wantsCrop?: boolean } = {},
): Promise<number> {
  const row = await worker.env.DB.prepare(
    `insert into picture (profile_id, audience, width, height, bytes, nsfw_owner, wants_crop, ts_created, ts_updated)
     values (?, 'public', 1000, 1000, 1, ?, ?, 1, 1) returning id`,
  )
    .bind(owner.id, marks.nsfw ? 1 : 0, marks.wantsCrop ? 1 : 0)
    .first<{ id: number }>();
  await worker.env.DB.prepare(
    "update profile set pics_public = json_insert(pics_public, '$[#]', cast(? as integer)) where id = ?",
  )
    .bind(row!.id, owner.id)
    .run();
  return row!.id;
}

/** Joined long enough ago to be paid, and in another week than the one before. */
export const oldMember = (worker: TestWorker, week = 0) =>
  as(worker, { created: Date.now() - (AGE_DAYS + 7 * week) * DAY_MS });

/** Players whose votes count, who joined in different weeks. */
export async function makeVoters(worker: TestWorker, count: number): Promise<TestMember[]> {
  const voters: TestMember[] = [];
  for (let week = 0; week < count; week += 1) voters.push(await oldMember(worker, week));
  for (const { id } of voters) await prove(worker, id);
  return voters;
}

async function prove(worker: TestWorker, id: number): Promise<void> {
  const records = [
    ["rating", { safe: [8, 8], explicit: [8, 8] }, { safe: 8, explicit: 8 }],
    ["buster", { person: [8, 8], bot: [8, 8] }, { person: 8, bot: 8 }],
  ] as const;
  for (const [game, known, answers] of records) {
    await worker.env.DB.prepare(
      "insert into game_record (profile_id, game, votes, known, answers, proven, ts_last) values (?, ?, 16, ?, ?, 1, 1)",
    )
      .bind(id, game, JSON.stringify(known), JSON.stringify(answers))
      .run();
  }
}

/** As if this many proven players had voted lately. */
export async function setPool(worker: TestWorker, voters = CONSENSUS_VOTERS_MIN): Promise<void> {
  const { DB } = worker.env;
  const row = DB.prepare("insert into game_pool values (?, ?) on conflict do update set voters = excluded.voters");
  await DB.batch(["rating", "buster"].map((game) => row.bind(game, voters)));
}

/** Makes what is stored of games this many days older. */
export async function passDays(worker: TestWorker, days: number): Promise<void> {
  const { DB } = worker.env;
  const ms = days * DAY_MS;
  await DB.batch([
    DB.prepare(
      `update game_item set ts_decided = ts_decided - ?1, ts_review_asked = ts_review_asked - ?1, ts_staff = ts_staff - ?1,
         tally = iif(tally ->> 'tsFirst' is null, tally,
           json_set(tally, '$.tsFirst', (tally ->> 'tsFirst') - ?1, '$.tsLast', (tally ->> 'tsLast') - ?1))`,
    ).bind(ms),
    DB.prepare("update game_pack set day = day - ? where day > 10000").bind(days),
  ]);
}

export async function draw(member: TestMember, game: string, body: unknown = {}): Promise<Item[]> {
  const answer = await member.send("POST", `/api/games/${game}/draw`, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Item[];
}

/** What was drawn under a number, which the answer does not tell. */
export async function pictureOf(worker: TestWorker, item: Item): Promise<number | null> {
  return worker.env.DB.prepare("select items -> ? ->> 'picture' as id from game_pack where id is not null")
    .bind(`$."${item.itemId}"`)
    .first<number>("id");
}

/** Draws, and votes on that picture if it came; answers what the vote came to, or undefined. */
export async function voteOn(
  worker: TestWorker,
  player: TestMember,
  picture: number,
  answer: string,
): Promise<{ settled: boolean; right: boolean | null; status: number } | undefined> {
  for (const item of await draw(player, "ratinggame", { nsfw: true })) {
    if ((await pictureOf(worker, item)) !== picture) continue;
    const voted = await player.send("POST", "/api/games/ratinggame/vote", { itemId: item.itemId, answer });
    return { ...((await voted.json()) as { settled: boolean; right: boolean | null }), status: voted.status };
  }
  return undefined;
}

/** So many proven players of one mind, half of them a week before the others; answers how many votes settled it. */
export async function agreeOn(
  worker: TestWorker,
  picture: number,
  answer: string,
  voters: readonly TestMember[],
): Promise<number> {
  let votes = 0;
  let settled = 0;
  for (const [index, voter] of voters.entries()) {
    if (index === Math.floor(voters.length / 2)) await passDays(worker, 8);
    const vote = await voteOn(worker, voter, picture, answer);
    if (!vote) continue;
    votes += 1;
    if (vote.settled) settled += 1;
  }
  if (votes === 0) throw new Error(`nobody was shown picture ${picture}`);
  return settled;
}

/** As if all but one of the votes of a consensus had been cast over the last week; the item is made where it is not there. */
export async function agreeButOne(worker: TestWorker, picture: number, answer: string): Promise<void> {
  const { DB } = worker.env;
  await DB.batch([
    DB.prepare(
      `insert into game_item (game, picture_id, subject_id, version, ts_created)
       select 'rating', id, profile_id, version, 1 from picture where id = ? on conflict do nothing`,
    ).bind(picture),
    DB.prepare("update game_item set tally = ? where picture_id = ?").bind(tallyButOne(answer), picture),
  ]);
}

export function tallyButOne(answer: string): string {
  const votes = CONSENSUS_VOTES_MIN - 1;
  const now = Date.now();
  return JSON.stringify({ votes, weights: { [answer]: votes }, tsFirst: now - 2 * CONSENSUS_SPAN_MS, tsLast: now });
}
