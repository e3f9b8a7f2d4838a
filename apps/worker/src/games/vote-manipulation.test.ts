import {
  CONSENSUS_VOTES_MIN,
  DAY_MS,
  GAME_KNOWN_PER_DAY_MAX,
  GAME_OPEN_PER_DAY_MAX,
  GAME_OPEN_PER_WEEK_MAX,
} from "@lambda/contract/limits";
import { createD1 } from "@lambda/testing/d1";
import { createMember } from "@lambda/testing/member";
import {
  addPicture,
  createOldMember,
  createVoters,
  drawItems,
  findItemPicture,
  type Item,
  passDays,
  reachConsensus,
  setPoolSize,
  storeAllButOneVote,
  voteOn,
} from "@lambda/testing/scenes/games";
import type { Statement } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { detectVoteCollusion } from "./vote-collusion.ts";

/** Attacks on the Rating Game by one person with several accounts, through calls available to every member. */
let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const queryFirst = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .first();
const readMark = (picture: number) => queryFirst("select nsfw_community as mark from picture where id = ?", picture);

describe("accounts of one person", () => {
  it("cannot mark a picture while they are new, however many they are", async () => {
    await setPoolSize(worker);
    const picture = await addPicture(worker, await createMember(worker));
    for (let created = 0; created < 10; created += 1) {
      expect(await voteOn(worker, await createMember(worker), picture, "explicit")).toMatchObject({ settled: false });
    }
    expect(await readMark(picture)).toEqual({ mark: 0 });
    expect(await queryFirst("select answer, known, staff_reason, tally from game_item")).toEqual({
      answer: null,
      known: null,
      staff_reason: null,
      tally: expect.stringContaining('"votes":0'),
    });
    expect(await queryFirst("select count(*) as n from notification")).toEqual({ n: 0 });
  });

  it("cannot file a case without being proven, whether new or 40 days old", async () => {
    await setPoolSize(worker);
    const picture = await addPicture(worker, await createMember(worker));
    for (let week = 0; week < 6; week += 1) {
      await voteOn(worker, await createMember(worker), picture, "rule_breaking");
      await voteOn(worker, await createOldMember(worker, week), picture, "rule_breaking");
    }
    expect(await queryFirst("select count(*) as n from report")).toEqual({ n: 0 });
    expect(await readMark(picture)).toEqual({ mark: 0 });
  });

  it("cannot fix their own explicit picture as safe or turn it into a test item", { tags: "slow" }, async () => {
    await setPoolSize(worker);
    const picture = await addPicture(worker, await createMember(worker));
    const hostile = await createVoters(worker, 6);
    await reachConsensus(worker, picture, "safe", hostile);
    await passDays(worker, 2);
    expect(await queryFirst("select answer, known from game_item")).toEqual({ answer: null, known: null });
    const honest = await createVoters(worker, 24);
    const first = await voteOn(worker, honest[0]!, picture, "explicit");
    expect(first).toMatchObject({ right: null });
    await reachConsensus(worker, picture, "explicit", honest.slice(1));
    expect(await readMark(picture)).toEqual({ mark: 1 });
    const records = await worker.env.DB.prepare(
      "select known from game_record where profile_id = ? and game = 'rating'",
    )
      .bind(honest[0]!.id)
      .first<{ known: string }>();
    expect(JSON.parse(records!.known)).toEqual({ safe: [8, 8], explicit: [8, 8] });
  });

  it("count as at most two votes if they registered in the same week", async () => {
    await setPoolSize(worker);
    const picture = await addPicture(worker, await createMember(worker));
    const voters = await createVoters(worker, 8);
    await worker.env.DB.exec(`update account set ts_created = ${Date.now() - 40 * DAY_MS}`);
    await reachConsensus(worker, picture, "explicit", voters);
    const item = await queryFirst("select votes, tally ->> 'votes' as counted from game_item");
    expect(item).toEqual({ votes: 8, counted: 2 });
  });

  it("get the same few pictures however often they draw", { tags: "slow" }, async () => {
    for (let created = 0; created < 40; created += 1) await addPicture(worker, await createMember(worker));
    const player = await createOldMember(worker);
    const first = await drawItems(player, "ratinggame");
    for (let draws = 0; draws < 20; draws += 1) expect(await drawItems(player, "ratinggame")).toEqual(first);
    const seenPictures = new Set<number | null>();
    let response: Response;
    do {
      response = await player.send("POST", "/api/games/ratinggame/draw", {});
      const items = response.ok ? ((await response.json()) as Item[]) : [];
      for (const item of items) {
        seenPictures.add(await findItemPicture(worker, item));
        await player.send("POST", "/api/games/ratinggame/vote", { itemId: item.itemId, answer: "safe" });
      }
    } while (response.ok);
    expect(response.status).toBe(429);
    const retryAfter = Number(response.headers.get("retry-after"));
    expect(retryAfter > 0 && retryAfter <= DAY_MS / 1000).toBe(true);
    expect(seenPictures.size).toBe(GAME_OPEN_PER_DAY_MAX);
    for (let day = 0; day < 6; day += 1) {
      await passDays(worker, 1);
      const more = await player.send("POST", "/api/games/ratinggame/draw", {});
      for (const item of more.ok ? ((await more.json()) as Item[]) : []) {
        seenPictures.add(await findItemPicture(worker, item));
        await player.send("POST", "/api/games/ratinggame/vote", { itemId: item.itemId, answer: "safe" });
      }
    }
    expect(seenPictures.size).toBe(GAME_OPEN_PER_WEEK_MAX);
    const issued = await queryFirst("select max(issued) as open, max(issued_known) as known from game_pack");
    expect(issued).toEqual({ open: GAME_OPEN_PER_DAY_MAX, known: expect.any(Number) });
    expect(Number(issued?.known)).toBeLessThanOrEqual(GAME_KNOWN_PER_DAY_MAX);
  });

  it("decide nothing in a small pool, where staff decide", async () => {
    await setPoolSize(worker, 120);
    const picture = await addPicture(worker, await createMember(worker));
    await reachConsensus(worker, picture, "explicit", await createVoters(worker, CONSENSUS_VOTES_MIN));
    expect(await readMark(picture)).toEqual({ mark: 0 });
    expect(await queryFirst("select answer, staff_reason from game_item")).toEqual({
      answer: null,
      staff_reason: "thin",
    });
  });
});

describe("an answer", () => {
  /** A picture marked by voters and contradicted by as many later ones. */
  async function dividedPicture() {
    await setPoolSize(worker);
    const owner = await createMember(worker);
    const picture = await addPicture(worker, owner);
    await reachConsensus(worker, picture, "explicit", await createVoters(worker, CONSENSUS_VOTES_MIN));
    for (const voter of await createVoters(worker, CONSENSUS_VOTES_MIN)) {
      expect(await voteOn(worker, voter, picture, "safe")).toMatchObject({ settled: false });
    }
    return { owner, picture };
  }

  it("contradicted by later votes goes to staff, whose answer stands", async () => {
    const { owner, picture } = await dividedPicture();
    expect(await queryFirst("select staff_reason from game_item")).toEqual({ staff_reason: "divided" });
    const admin = await createMember(worker, { adminBrand: "ember" });
    const [review] = await admin.get<{ itemId: number; pictureId: number; why: string }[]>("/api/games/reviews");
    expect(review).toMatchObject({ pictureId: picture, why: "divided" });
    const decide = (answer: string) => admin.send("POST", "/api/games/reviews", { itemId: review!.itemId, answer });
    expect((await decide("bot")).status).toBe(400);
    expect((await decide("safe")).status).toBe(200);
    expect((await decide("safe")).status).toBe(404);
    expect(await readMark(picture)).toEqual({ mark: 0 });
    const decided = await queryFirst("select answer, known, by_staff, staff_reason, tally from game_item");
    expect(decided).toEqual({ answer: "safe", known: "safe", by_staff: 1, staff_reason: null, tally: "{}" });
    const notifications = await owner.get<{ bodyText: string }[]>(`/api/notifications/${owner.id}`);
    expect(notifications.map(({ bodyText }) => bodyText.includes("no longer rates"))).toEqual([true, false]);
  });

  it("by staff is logged in the audit log with the admin, but without the answer in the public part", async () => {
    const { results: before } = await worker.env.DB.prepare("select seq from audit_entry").all();
    const picture = (await dividedPicture()).picture;
    const admin = await createMember(worker, { adminBrand: "*" });
    const [review] = await admin.get<{ itemId: number }[]>("/api/games/reviews");
    const decided = await admin.send("POST", "/api/games/reviews", { itemId: review!.itemId, answer: "rule_breaking" });
    expect(decided.status).toBe(200);
    const entries = await worker.env.DB.prepare(
      `select e.action, e.body, p.actor_id, p.details from audit_entry e join audit_private p on p.seq = e.seq
        where e.seq > ? order by e.seq`,
    )
      .bind(before.length)
      .all<{ action: string; body: string; actor_id: number | null; details: string }>();
    expect(entries.results.map((entry) => entry.action)).toEqual(["staff.game_answered", "report.filed"]);
    const [entry] = entries.results;
    expect(entry!.actor_id).toBe(admin.id);
    expect(JSON.parse(entry!.details)).toMatchObject({ itemId: review!.itemId, answer: "rule_breaking" });
    expect(entry!.body).not.toContain("rule_breaking");
    expect(await queryFirst("select count(*) as n from report where source_id = ?", picture)).toEqual({ n: 1 });
  });

  it("by votes becomes a test only after standing for two weeks", async () => {
    await setPoolSize(worker);
    const picture = await addPicture(worker, await createMember(worker));
    const [first, soon, later] = await createVoters(worker, 3);
    await storeAllButOneVote(worker, picture, "safe");
    await voteOn(worker, first!, picture, "safe");
    await voteOn(worker, soon!, picture, "safe");
    expect(await queryFirst("select answer, known from game_item")).toEqual({ answer: "safe", known: null });
    await passDays(worker, 15);
    await voteOn(worker, later!, picture, "safe");
    expect(await queryFirst("select answer, known from game_item")).toEqual({ answer: "safe", known: "safe" });
  });
});

describe("a review", () => {
  async function markedPicture() {
    await setPoolSize(worker);
    const owner = await createMember(worker);
    const picture = await addPicture(worker, owner);
    await storeAllButOneVote(worker, picture, "explicit");
    await reachConsensus(worker, picture, "explicit", await createVoters(worker, 1));
    expect(await readMark(picture)).toEqual({ mark: 1 });
    return { owner, picture };
  }
  const path = "/api/games/ratinggame/marked";

  it("can be requested by the owner once a month, and starts with fresh votes", async () => {
    const { owner, picture } = await markedPicture();
    expect(await owner.get(path)).toEqual([{ pictureId: picture, waiting: false, tsAskAgain: null }]);
    const stranger = await createMember(worker);
    expect((await stranger.send("POST", path, { pictureId: picture })).status).toBe(404);
    const requested = await owner.send("POST", path, { pictureId: picture });
    expect([requested.status, await requested.json()]).toEqual([
      201,
      { pictureId: picture, waiting: true, tsAskAgain: expect.any(String) },
    ]);
    const repeated = await owner.send("POST", path, { pictureId: picture });
    expect(repeated.status).toBe(429);
    expect(Number(repeated.headers.get("retry-after"))).toBeGreaterThan(29 * 86_400);
    expect(await queryFirst("select tally, staff_reason from game_item")).toEqual({ tally: "{}", staff_reason: null });
    await reachConsensus(worker, picture, "safe", await createVoters(worker, CONSENSUS_VOTES_MIN));
    expect(await readMark(picture)).toEqual({ mark: 0 });
    expect(await owner.get(path)).toEqual([]);
  });

  it("notifies the owner when fresh voters confirm the mark", async () => {
    const { owner, picture } = await markedPicture();
    await owner.send("POST", path, { pictureId: picture });
    await storeAllButOneVote(worker, picture, "explicit");
    await reachConsensus(worker, picture, "explicit", await createVoters(worker, 1));
    expect(await owner.get(path)).toMatchObject([{ pictureId: picture, waiting: false }]);
    const [notification] = await owner.get<{ bodyText: string }[]>(`/api/notifications/${owner.id}`);
    expect(notification!.bodyText).toContain("it stays NSFW");
  });

  it("goes to staff if the pool is small or votes do not decide within two weeks", async () => {
    const { owner, picture } = await markedPicture();
    await setPoolSize(worker, 100);
    await owner.send("POST", path, { pictureId: picture });
    expect(await queryFirst("select staff_reason from game_item")).toEqual({ staff_reason: "owner" });
    await worker.env.DB.exec("update game_item set staff_reason = null, ts_staff = null");
    await worker.runCron("17 3 * * *", Date.now() + 13 * DAY_MS);
    expect(await queryFirst("select staff_reason from game_item")).toEqual({ staff_reason: null });
    await worker.runCron("17 3 * * *", Date.now() + 15 * DAY_MS);
    expect(await queryFirst("select staff_reason from game_item")).toEqual({ staff_reason: "owner" });
  });
});

describe("a ring that gives the same wrong answers", () => {
  const scores = async () => {
    const { results } = await worker.env.DB.prepare("select collusion from game_record order by profile_id").all();
    return results.map((row) => row.collusion);
  };
  /** Three members, of whom the first two agree on five wrong answers. */
  const storeVotes = async () => {
    const voters = [await createMember(worker), await createMember(worker), await createMember(worker)];
    const owner = await createMember(worker);
    const run = (query: string, ...values: (string | number)[]) => worker.run({ query, values });
    await run("insert into game_record (profile_id, game) select id, 'rating' from profile where id <> ?", owner.id);
    for (let version = 1; version <= 5; version += 1)
      await run(
        `insert into game_item (game, subject_id, version, answer, ts_created, ts_decided)
         values ('rating', ?, ?, 'safe', 1, ?)`,
        ...[owner.id, version, Date.now()],
      );
    for (const [index, { id }] of voters.entries())
      await run(
        "insert into game_vote (item_id, voter_id, answer, weight, ts_created) select id, ?, ?, 1, 1 from game_item",
        ...[id, index < 2 ? "explicit" : "safe"],
      );
  };

  it("loses weight every night, until it stops", async () => {
    await storeVotes();
    await detectVoteCollusion(worker.env, Date.now());
    expect(await scores()).toEqual([0.5, 0.5, 0]);
    await worker.env.DB.exec("delete from game_vote");
    await detectVoteCollusion(worker.env, Date.now());
    expect(await scores()).toEqual([0, 0, 0]);
  });

  it("never gets its weight back in between", async () => {
    await storeVotes();
    await detectVoteCollusion(worker.env, Date.now());
    let calls = 0;
    const DB = createD1(async (statements) => {
      calls += 1;
      // The invocation ends after the first write.
      if (calls > 2) throw new Error("D1_ERROR");
      return (await worker.run(...(statements as Statement[]))).map((results) => ({ results }));
    });
    await detectVoteCollusion({ DB }, Date.now()).catch(() => undefined);
    expect(await scores()).toEqual([0.5, 0.5, 0]);
  });
});

it("counts the proven players of the last month every night", async () => {
  await createVoters(worker, 3);
  await worker.env.DB.exec(`update game_record set ts_last = ${Date.now()}`);
  await createOldMember(worker);
  const [left] = await createVoters(worker, 1);
  expect(left).toBeDefined();
  await worker.runCron("17 3 * * *");
  const { results } = await worker.env.DB.prepare("select * from game_pool order by game").all();
  expect(results).toEqual([
    { game: "buster", voters: 3 },
    { game: "check", voters: 0 },
    { game: "rating", voters: 3 },
  ]);
});
