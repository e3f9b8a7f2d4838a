/** Game scenes: proven players, pictures to vote on, and passing days. */
import { CONSENSUS_SPAN_MS, CONSENSUS_VOTERS_MIN, CONSENSUS_VOTES_MIN, DAY_MS } from "@lambda/contract/limits";
import { expect } from "vitest";
import { createMember, type TestMember } from "../member.ts";
import type { TestWorker } from "../worker.ts";

/** Old enough for every feature with a minimum account age. */
const AGE_DAYS = 40;

export interface Item {
  itemId: number;
  text: string;
}

export async function addPicture(
  worker: TestWorker,
  owner: TestMember,
  options: { nsfw?: boolean; wantsCrop?: boolean } = {},
): Promise<number> {
  const row = await worker.env.DB.prepare(
    `insert into picture (profile_id, audience, width, height, bytes, nsfw_owner, wants_crop, ts_created, ts_updated)
     values (?, 'public', 1000, 1000, 1, ?, ?, 1, 1) returning id`,
  )
    .bind(owner.id, options.nsfw ? 1 : 0, options.wantsCrop ? 1 : 0)
    .first<{ id: number }>();
  await worker.env.DB.prepare(
    "update profile set pics_public = json_insert(pics_public, '$[#]', cast(? as integer)) where id = ?",
  )
    .bind(row!.id, owner.id)
    .run();
  return row!.id;
}

/** Creates a member old enough to earn credits, who joined `weeks` earlier than the youngest of them. */
export const createOldMember = (worker: TestWorker, weeks = 0) =>
  createMember(worker, { created: Date.now() - (AGE_DAYS + 7 * weeks) * DAY_MS });

/** Creates proven players, each of whom joined in a different week. */
export async function createVoters(worker: TestWorker, count: number): Promise<TestMember[]> {
  const voters: TestMember[] = [];
  for (let week = 0; week < count; week += 1) voters.push(await createOldMember(worker, week));
  for (const { id } of voters) await storeProvenRecord(worker, id);
  return voters;
}

async function storeProvenRecord(worker: TestWorker, id: number): Promise<void> {
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

/** Stores how many proven players have voted recently. */
export async function setPoolSize(worker: TestWorker, voters = CONSENSUS_VOTERS_MIN): Promise<void> {
  const { DB } = worker.env;
  const row = DB.prepare("insert into game_pool values (?, ?) on conflict do update set voters = excluded.voters");
  await DB.batch(["rating", "buster"].map((game) => row.bind(game, voters)));
}

/** Moves the stored times of games into the past. */
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

export async function drawItems(member: TestMember, game: string, body: unknown = {}): Promise<Item[]> {
  const response = await member.send("POST", `/api/games/${game}/draw`, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Item[];
}

/** Returns the picture of a drawn item, which the response does not reveal. */
export async function findItemPicture(worker: TestWorker, item: Item): Promise<number | null> {
  return worker.env.DB.prepare("select items -> ? ->> 'picture' as id from game_pack where id is not null")
    .bind(`$."${item.itemId}"`)
    .first<number>("id");
}

/** Draws items and votes on a picture if it is among them. Returns the result of the vote, if any. */
export async function voteOn(
  worker: TestWorker,
  player: TestMember,
  picture: number,
  answer: string,
): Promise<{ settled: boolean; right: boolean | null; status: number } | undefined> {
  for (const item of await drawItems(player, "ratinggame", { nsfw: true })) {
    if ((await findItemPicture(worker, item)) !== picture) continue;
    const response = await player.send("POST", "/api/games/ratinggame/vote", { itemId: item.itemId, answer });
    return { ...((await response.json()) as { settled: boolean; right: boolean | null }), status: response.status };
  }
  return undefined;
}

/**
 * Lets voters give the same answer, half of them eight days before the others. Returns how many votes settled the item.
 */
export async function reachConsensus(
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
  if (votes === 0) throw new Error(`nobody drew picture ${picture}`);
  return settled;
}

/** Stores a tally one vote short of consensus, and inserts the item if it does not exist. */
export async function storeAllButOneVote(worker: TestWorker, picture: number, answer: string): Promise<void> {
  const { DB } = worker.env;
  await DB.batch([
    DB.prepare(
      `insert into game_item (game, picture_id, subject_id, version, ts_created)
       select 'rating', id, profile_id, version, 1 from picture where id = ? on conflict do nothing`,
    ).bind(picture),
    DB.prepare("update game_item set tally = ? where picture_id = ?").bind(tallyOneVoteShort(answer), picture),
  ]);
}

export function tallyOneVoteShort(answer: string): string {
  const votes = CONSENSUS_VOTES_MIN - 1;
  const now = Date.now();
  return JSON.stringify({ votes, weights: { [answer]: votes }, tsFirst: now - 2 * CONSENSUS_SPAN_MS, tsLast: now });
}
