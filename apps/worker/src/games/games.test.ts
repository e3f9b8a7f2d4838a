import { RATING_ANSWERS } from "@lambda/contract/game-answers";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import {
  createOldMember,
  createVoters,
  drawItems,
  findItemPicture,
  type Item,
  addPicture as inScene,
  passDays,
  reachConsensus,
  setPoolSize,
  storeAllButOneVote,
  tallyOneVoteShort,
  voteOn,
} from "@lambda/testing/scenes/games";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const addPicture = (owner: TestMember, marks: Parameters<typeof inScene>[2] = {}) => inScene(worker, owner, marks);
const pictureOf = (item: Item) => findItemPicture(worker, item);

describe("The Rating Game", () => {
  it("sets the community's NSFW mark by consensus of proven players, and notifies the owner", async () => {
    const owner = await createMember(worker);
    const picture = await addPicture(owner);
    await setPoolSize(worker);
    await storeAllButOneVote(worker, picture, "explicit");
    expect(await reachConsensus(worker, picture, "explicit", await createVoters(worker, 2))).toBe(1);
    const row = await worker.env.DB.prepare("select nsfw_community from picture where id = ?").bind(picture).first();
    expect(row).toEqual({ nsfw_community: 1 });
    const notifications = await owner.get<{ kind: string; bodyText: string; url: string }[]>(
      `/api/notifications/${owner.id}`,
    );
    expect(notifications).toEqual([expect.objectContaining({ kind: "picture", url: "/profileEdit" })]);
    expect(notifications[0]!.bodyText).toContain("rated one of your pictures NSFW");
  });

  it("files a report for a picture that breaks the rules", async () => {
    const owner = await createMember(worker);
    const picture = await addPicture(owner);
    await setPoolSize(worker);
    await storeAllButOneVote(worker, picture, "rule_breaking");
    await reachConsensus(worker, picture, "rule_breaking", await createVoters(worker, 1));
    const report = await worker.env.DB.prepare("select category, source, filings from report").first();
    expect(report).toEqual({ category: "explicit", source: "picture", filings: 1 });
  });

  it("retries a failed report with the next vote", async () => {
    const { DB } = worker.env;
    const owner = await createMember(worker);
    const picture = await addPicture(owner);
    await setPoolSize(worker);
    await DB.exec("create trigger full before insert on report begin select raise(abort, 'the disk is full'); end");
    const [last, late] = await createVoters(worker, 2);
    await storeAllButOneVote(worker, picture, "rule_breaking");
    expect((await voteOn(worker, last!, picture, "rule_breaking"))?.status).toBe(500);
    const item = "select answer from game_item";
    const unsettled = await DB.prepare(item).first();
    await DB.exec("drop trigger full");
    expect(unsettled).toEqual({ answer: null });
    expect(await voteOn(worker, late!, picture, "rule_breaking")).toMatchObject({ status: 201, settled: true });
    expect(await DB.prepare(item).first()).toEqual({ answer: "rule_breaking" });
    expect(await DB.prepare("select filings from report").first()).toEqual({ filings: 1 });
    expect(await DB.prepare("select nsfw_community n from picture").first()).toEqual({ n: 1 });
  });

  it("rejects votes on members no longer visible to the player", async () => {
    const { DB } = worker.env;
    const me = await createMember(worker);
    const waysToVanish: Record<string, (owner: TestMember, picture: number) => Promise<unknown>> = {
      blocked: (owner) => owner.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true }),
      hidden: (owner) => DB.prepare("update profile set hidden = 1 where id = ?").bind(owner.id).run(),
      withdrawn: (_, id) => DB.prepare("update picture set audience = 'private' where id = ?").bind(id).run(),
      judged: (_, id) => DB.prepare("update picture set hidden_by_staff = 1 where id = ?").bind(id).run(),
    };
    for (const [how, vanish] of Object.entries(waysToVanish)) {
      const owner = await createMember(worker);
      const picture = await addPicture(owner);
      const drawn = await drawItems(me, "ratinggame");
      const pictures = await Promise.all(drawn.map(pictureOf));
      const item = drawn[pictures.indexOf(picture)];
      expect(item, how).toBeDefined();
      await vanish(owner, picture);
      const vote = { itemId: item!.itemId, answer: "safe" };
      expect([how, (await me.send("POST", "/api/games/ratinggame/vote", vote)).status]).toEqual([how, 404]);
    }
    const writer = await createMember(worker);
    const text = "Words of my own that are long enough to be judged by somebody who may still see me.";
    await DB.prepare("update profile set description = ? where id = ?").bind(text, writer.id).run();
    const item = (await drawItems(me, "gptbuster")).find((drawn) => drawn.text === text);
    await writer.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true });
    const vote = { itemId: item!.itemId, answer: "bot" };
    expect((await me.send("POST", "/api/games/gptbuster/vote", vote)).status).toBe(404);
    expect(await DB.prepare("select count(*) n from game_vote").first()).toEqual({ n: 0 });
  });

  it("does not issue pictures of invisible members, not even as test items", async () => {
    const { DB } = worker.env;
    const owner = await createMember(worker);
    for (const answer of RATING_ANSWERS) {
      await DB.prepare(
        `insert into game_item (game, picture_id, version, known, ts_created)
         select 'rating', id, version, ?, 1 from picture where id = ?`,
      )
        .bind(answer, await addPicture(owner))
        .run();
    }
    const open = await addPicture(await createMember(worker));
    const drawPictures = async (member: TestMember) =>
      Promise.all((await drawItems(member, "ratinggame")).map(pictureOf));
    expect((await drawPictures(await createMember(worker))).length).toBeGreaterThan(1);
    await DB.prepare("update profile set hidden = 1 where id = ?").bind(owner.id).run();
    expect(await drawPictures(await createMember(worker))).toEqual([open]);
  });

  it("counts every one of a player's concurrent votes", async () => {
    const me = await createMember(worker);
    for (let created = 0; created < 6; created += 1) await addPicture(await createMember(worker));
    const items = await drawItems(me, "ratinggame");
    expect(items).toHaveLength(6);
    const votes = items.map(({ itemId }) =>
      me.send("POST", "/api/games/ratinggame/vote", { itemId, answer: "safe" }).then(({ status }) => status),
    );
    expect(await Promise.all(votes)).toEqual(Array(6).fill(201));
    const record = await worker.env.DB.prepare("select votes, answers from game_record").first();
    expect(record).toEqual({ votes: 6, answers: '{"safe":6}' });
  });

  it("does not draw own, blocked, hidden, other brands' or NSFW pictures, and accepts votes only on drawn items", async () => {
    const me = await createMember(worker);
    const blocked = await createMember(worker);
    const hidden = await createMember(worker, { hidden: true });
    const foreign = await createMember(worker, { brand: "harbor" });
    const open = await createMember(worker);
    for (const owner of [me, blocked, hidden, foreign]) await addPicture(owner);
    await addPicture(open, { nsfw: true });
    const fine = await addPicture(open);
    await worker.env.DB.batch([
      worker.env.DB.prepare(
        "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 0, 1, 1)",
      ).bind(me.id, blocked.id),
      worker.env.DB.prepare(
        "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 1, 0, 1)",
      ).bind(blocked.id, me.id),
    ]);
    const items = await drawItems(me, "ratinggame");
    expect(await Promise.all(items.map(pictureOf))).toEqual([fine]);
    const other = await createMember(worker);
    const stolen = await other.send("POST", "/api/games/ratinggame/vote", { itemId: items[0]!.itemId, answer: "safe" });
    expect(stolen.status).toBe(404);
    await me.send("POST", "/api/games/ratinggame/vote", { itemId: items[0]!.itemId, answer: "safe" });
    const repeated = await me.send("POST", "/api/games/ratinggame/vote", { itemId: items[0]!.itemId, answer: "safe" });
    expect(repeated.status).toBe(404);
    expect(await drawItems(me, "ratinggame")).toEqual([]);
  });
});

describe("A game's pictures", () => {
  it("are served under the issued number, to this player, until they answer", async () => {
    const members = await Promise.all(["Abe", "Bob", "Cal"].map((name) => createMember(worker, { name })));
    for (const member of [...members, ...members]) await uploadPicture(member);
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const [item] = await drawItems(me, "ratinggame");
    const start = await me.send("POST", "/api/games/identify/start", {});
    const { round } = (await start.json()) as { round: number };
    const paths = [`/api/games/ratinggame/picture/${item!.itemId}`, `/api/games/identify/picture/${round}`];
    for (const path of paths) {
      const bytes = await me.fetch(`${path}?scale_x=256`);
      expect([path, bytes.status, bytes.headers.get("content-type")]).toEqual([path, 200, "image/webp"]);
      await bytes.arrayBuffer();
      // Not the picture's id, which would reveal its owner.
      expect(bytes.headers.get("etag")).toBe(`"game-${path.split("/").at(-1)}-256"`);
      expect((await other.fetch(path)).status).toBe(404);
    }
    await me.send("POST", "/api/games/ratinggame/vote", { itemId: item!.itemId, answer: "safe" });
    await me.send("POST", "/api/games/identify/answer", { profileId: members[0]!.id });
    for (const path of paths) expect((await me.fetch(path)).status).toBe(404);
  });
});

describe("Draws", () => {
  const vote = (member: TestMember, itemId: number) =>
    member.send("POST", "/api/games/ratinggame/vote", { itemId, answer: "safe" });

  it("find the last unjudged picture of a community", async () => {
    const me = await createMember(worker);
    const owners = await Promise.all(Array.from({ length: 30 }, () => createMember(worker)));
    for (const owner of owners) await addPicture(owner);
    for (;;) {
      const response = await me.send("POST", "/api/games/ratinggame/draw", {});
      if (response.status === 429) {
        await passDays(worker, 1);
        continue;
      }
      const items = (await response.json()) as Item[];
      if (items.length === 0) break;
      for (const { itemId } of items) expect((await vote(me, itemId)).status).toBe(201);
    }
    const votes = await worker.env.DB.prepare("select count(*) as n from game_vote where voter_id = ?").bind(me.id);
    expect(await votes.first()).toEqual({ n: 30 });
  });

  it("find all members of the brand from any start in the random order", async () => {
    const owners = await Promise.all([0, 1, 2 ** 31, 2 ** 32 - 1].map(() => createMember(worker)));
    for (const [index, owner] of owners.entries()) {
      await addPicture(owner);
      await worker.env.DB.prepare("update profile set random_order = ? where id = ?")
        .bind([0, 1, 2 ** 31, 2 ** 32 - 1][index]!, owner.id)
        .run();
    }
    const me = await createMember(worker);
    for (let draws = 0; draws < 5; draws += 1) expect(await drawItems(me, "ratinggame")).toHaveLength(4);
    const onHarbor = await me.onBrand("harbor");
    expect(await drawItems(onHarbor, "ratinggame")).toEqual([]);
  });

  it("return the open pack, which stays playable through the next day", async () => {
    const me = await createMember(worker);
    for (let created = 0; created < 3; created += 1) await addPicture(await createMember(worker));
    const first = await drawItems(me, "ratinggame");
    expect(first).toHaveLength(3);
    expect(await drawItems(me, "ratinggame")).toEqual(first);
    const agePacks = (days: number) =>
      worker.env.DB.prepare("update game_pack set day = day - ? where profile_id = ?").bind(days, me.id).run();
    expect((await vote(me, first[0]!.itemId)).status).toBe(201);
    await agePacks(1);
    expect((await vote(me, first[1]!.itemId)).status).toBe(201);
    const packs = async () => (await worker.env.DB.prepare("select items, issued from game_pack").all()).results;
    await worker.runCron("17 3 * * *");
    expect(await packs()).toEqual([{ items: expect.stringContaining(String(first[2]!.itemId)), issued: 3 }]);
    await agePacks(1);
    expect((await vote(me, first[2]!.itemId)).status).toBe(404);
    await worker.runCron("17 3 * * *");
    // The count is kept for a week, without the items.
    expect(await packs()).toEqual([{ items: "{}", issued: 3 }]);
    await agePacks(5);
    await worker.runCron("17 3 * * *");
    expect(await packs()).toEqual([]);
  });

  it("store no texts of members", async () => {
    const subject = await createMember(worker, { name: "Subject Sam" });
    const text = "Words of my own that stay in my profile and nowhere else, whoever judges them.";
    await worker.env.DB.prepare("update profile set description = ? where id = ?").bind(text, subject.id).run();
    const me = await createMember(worker);
    const own = (await drawItems(me, "gptbuster")).find((item) => item.text === text);
    await me.send("POST", "/api/games/gptbuster/vote", { itemId: own!.itemId, answer: "person" });
    for (const table of ["game_pack", "game_item"]) {
      const { results } = await worker.env.DB.prepare(`select * from ${table}`).all();
      expect(results.length, table).toBeGreaterThan(0);
      expect(JSON.stringify(results), table).not.toContain("Words of my own");
    }
  });
});

describe("GPT Buster!", () => {
  it("pays for right answers on known texts, and reports a profile that most take for a bot's", async () => {
    const subject = await createMember(worker, { name: "Subject Sam" });
    await worker.env.DB.prepare("update profile set description = ? where id = ?")
      .bind(
        `Subject Sam here, ${"a text of my own that is long enough to be judged by others. ".repeat(2)}`,
        subject.id,
      )
      .run();
    await setPoolSize(worker);
    for (const player of await createVoters(worker, 4)) {
      const items = await drawItems(player, "gptbuster");
      expect(items.length).toBeGreaterThan(3);
      const own = items.find((item) => item.text.includes("long enough to be judged"));
      expect(own?.text).toContain("[name] here");
      const voted = await player.send("POST", "/api/games/gptbuster/vote", { itemId: own!.itemId, answer: "bot" });
      expect(voted.status).toBe(201);
      const known = items.find((item) => item.itemId !== own!.itemId)!;
      const result = await player.send("POST", "/api/games/gptbuster/vote", { itemId: known.itemId, answer: "bot" });
      const { right, creditsEarned } = (await result.json()) as { right: boolean; creditsEarned: number };
      expect(creditsEarned).toBe(right ? 1 : 0);
      await worker.env.DB.prepare("update game_item set tally = ? where subject_id is not null")
        .bind(tallyOneVoteShort("bot"))
        .run();
    }
    const report = await worker.env.DB.prepare("select category, subject_id from report").first();
    expect(report).toEqual({ category: "bot", subject_id: subject.id });
    const ledger = await worker.env.DB.prepare(
      "select (select sum(credits) from profile) = (select coalesce(sum(amount), 0) from credit_entry) as equal",
    ).first();
    expect(ledger).toEqual({ equal: 1 });
  });
});

describe("3 2 1 Identify!", () => {
  it("keeps the solution on the server, and accepts one answer", async () => {
    const members = await Promise.all(["Abe", "Bob", "Cal"].map((name) => createMember(worker, { name })));
    for (const member of members) {
      await addPicture(member);
      await addPicture(member);
    }
    const me = await createMember(worker);
    const start = await me.send("POST", "/api/games/identify/start", {});
    const round = (await start.json()) as { round: number; options: { profileId: number; pictureId: number }[] };
    const picture = await worker.env.DB.prepare("select picture_id from identify_round").first("picture_id");
    expect(round.options).toHaveLength(3);
    expect(round.options.some((option) => option.pictureId === picture)).toBe(false);
    const owner = await worker.env.DB.prepare("select profile_id from picture where id = ?")
      .bind(picture)
      .first<{ profile_id: number }>();
    expect((await me.send("POST", "/api/games/identify/answer", { profileId: me.id })).status).toBe(400);
    const response = await me.send("POST", "/api/games/identify/answer", { profileId: owner!.profile_id });
    expect(await response.json()).toMatchObject({ right: true, record: { streak: 1 } });
    expect((await me.send("POST", "/api/games/identify/answer", { profileId: owner!.profile_id })).status).toBe(404);
  });
});

describe("3 2 1 Identify!", () => {
  async function addMembers(): Promise<Map<number, number>> {
    const ownerOf = new Map<number, number>();
    for (let created = 0; created < 4; created += 1) {
      const owner = await createMember(worker);
      for (let added = 0; added < 2; added += 1) ownerOf.set(await addPicture(owner), owner.id);
    }
    return ownerOf;
  }

  /** Always answers right, like a program that compares the round's picture with all public ones. */
  async function playAsProgram(player: TestMember, ownerOf: Map<number, number>, rounds: number): Promise<number> {
    let right = 0;
    for (let played = 0; played < rounds; played += 1) {
      expect((await player.send("POST", "/api/games/identify/start", {})).status).toBe(200);
      const roundPicture = worker.env.DB.prepare("select picture_id from identify_round where profile_id = ?").bind(
        player.id,
      );
      const profileId = ownerOf.get((await roundPicture.first<number>("picture_id"))!);
      const response = await player.send("POST", "/api/games/identify/answer", { profileId });
      right += Number(((await response.json()) as { right: boolean }).right);
    }
    return right;
  }

  it("pays two credits a day to a program that is right fifteen times, and none to a new account", async () => {
    const ownerOf = await addMembers();
    const [program, newcomer] = [await createOldMember(worker), await createMember(worker)];
    expect(await playAsProgram(program, ownerOf, 15)).toBe(15);
    expect(await playAsProgram(newcomer, ownerOf, 3)).toBe(3);
    expect(await program.get("/api/credits")).toMatchObject({ credits: 2 });
    expect(await newcomer.get("/api/credits")).toEqual({ credits: 0, entries: [] });
  });

  it("shows a second picture of each of the three, and requires members with two", async () => {
    for (let created = 0; created < 6; created += 1) await addPicture(await createMember(worker));
    const me = await createMember(worker);
    expect((await me.send("POST", "/api/games/identify/start", {})).status).toBe(404);
    const ownerOf = await addMembers();
    for (let played = 0; played < 10; played += 1) {
      const start = await me.send("POST", "/api/games/identify/start", {});
      const { options } = (await start.json()) as { options: { profileId: number; pictureId: number }[] };
      for (const { profileId, pictureId } of options) expect(ownerOf.get(pictureId)).toBe(profileId);
    }
  });
});

describe("Hot! or Not!", () => {
  it("draws pictures that the player has not rated yet, even if others have", async () => {
    const [player, another] = [await createOldMember(worker), await createOldMember(worker)];
    const pictureId = await addPicture(await createMember(worker));
    const drawPictureIds = async (member: TestMember) =>
      ((await drawItems(member, "hotornot")) as unknown as { pictureId: number }[]).map((item) => item.pictureId);
    expect(await drawPictureIds(player)).toEqual([pictureId]);
    const rated = await player.send("PUT", "/api/profile-pic-like", { profilePicId: pictureId, likeType: "LIKE" });
    expect(rated.status, await rated.clone().text()).toBeLessThan(300);
    expect([await drawPictureIds(player), await drawPictureIds(another)]).toEqual([[], [pictureId]]);
  });
});

describe("Help my Photos", () => {
  it("lets others suggest crops on request, and lets the owner decide", async () => {
    const owner = await createMember(worker);
    const helper = await createOldMember(worker);
    const wanted = await addPicture(owner, { wantsCrop: true });
    const unwanted = await addPicture(owner);
    const tasks = await helper.get<{ pictureId: number }[]>("/api/games/photocrop");
    expect(tasks.map((task) => task.pictureId)).toEqual([wanted]);
    const box = { x: 0.1, y: 0, width: 0.8, height: 1 };
    expect((await helper.send("POST", "/api/games/photocrop/suggestion", { pictureId: unwanted, ...box })).status).toBe(
      404,
    );
    const wide = { x: 0, y: 0, width: 1, height: 1 };
    expect((await helper.send("POST", "/api/games/photocrop/suggestion", { pictureId: wanted, ...wide })).status).toBe(
      400,
    );
    const suggest = () => helper.send("POST", "/api/games/photocrop/suggestion", { pictureId: wanted, ...box });
    const first = await suggest();
    expect(first.status).toBe(201);
    const suggestion = (await first.json()) as { id: number };
    const countTasks = async (member: TestMember) => (await member.get<unknown[]>("/api/games/photocrop")).length;
    expect(
      [await countTasks(helper), await countTasks(await createMember(worker))],
      "a task disappears once answered",
    ).toEqual([0, 1]);
    expect(suggestion).toMatchObject({ pictureId: wanted, width: 1000, height: 1000, box, state: "open" });
    expect(await (await suggest()).json()).toEqual(suggestion);
    const notifications = await owner.get<unknown[]>(`/api/notifications/${owner.id}`);
    expect(notifications, "a replaced suggestion does not notify again").toHaveLength(1);
    expect(await owner.get("/api/games/photocrop/mine")).toEqual([suggestion]);
    const path = `/api/games/photocrop/suggestion/${suggestion.id}`;
    expect((await helper.send("PUT", path, { applied: true })).status).toBe(404);
    expect((await owner.send("PUT", path, { applied: true })).status).toBe(409);
    await worker.env.DB.prepare("update picture set version = version + 1 where id = ?").bind(wanted).run();
    const applied = await owner.send("PUT", path, { applied: true });
    expect(applied.status).toBe(200);
    expect(await applied.json()).toMatchObject({ id: suggestion.id, state: "applied" });
    expect(await helper.get(`/api/notifications/${helper.id}`)).toHaveLength(1);
    const credits = await worker.env.DB.prepare("select credits from profile where id = ?").bind(helper.id).first();
    expect(credits).toEqual({ credits: 5 });
  });

  it.each(["blocks the helper", "hides"])("reveals nothing about an owner who %s", async (how) => {
    const owner = await createMember(worker);
    const helper = await createMember(worker);
    const pictureId = await addPicture(owner, { wantsCrop: true });
    const box = { x: 0.1, y: 0, width: 0.8, height: 1 };
    const suggested = await helper.send("POST", "/api/games/photocrop/suggestion", { pictureId, ...box });
    const { id } = (await suggested.json()) as { id: number };
    const { DB } = worker.env;
    await DB.prepare("update picture set version = version + 1 where id = ?").bind(pictureId).run();
    if (how === "hides") await DB.prepare("update profile set hidden = 1 where id = ?").bind(owner.id).run();
    else await owner.send("PUT", "/api/profile-like", { likedProfileId: helper.id, blocked: true });
    expect((await owner.send("PUT", `/api/games/photocrop/suggestion/${id}`, { applied: true })).status).toBe(200);
    expect(await helper.get("/api/credits")).toEqual({ credits: 0, entries: [] });
    expect(await helper.get(`/api/notifications/${helper.id}`)).toEqual([]);
  });
});

describe("You got Cooties!", () => {
  it("pays two players once between them, however often they tag each other", async () => {
    const [one, other] = [await createOldMember(worker), await createOldMember(worker)];
    for (const player of [one, other]) {
      await player.send("PUT", `/api/profile-position/${player.id}`, {
        profileId: player.id,
        overrideLat: 33.44,
        overrideLon: -112.07,
        use: "OVERRIDE",
        hide: false,
      });
      await player.send("PUT", "/api/games/cooties", { playing: true });
    }
    for (let round = 0; round < 4; round += 1) {
      const [from, to] = round % 2 === 0 ? [one, other] : [other, one];
      expect((await from.send("POST", "/api/games/cooties/tag", { profileId: to.id })).status).toBe(200);
      await worker.env.DB.exec("update cooties_player set ts_caught = 1");
    }
    const paid = await worker.env.DB.prepare("select profile_id, amount from credit_entry").all();
    expect(paid.results).toEqual([{ profile_id: one.id, amount: 1 }]);
  });

  it("passes only from a carrier to a nearby player", async () => {
    const [one, near, far, outsider] = await Promise.all(Array.from({ length: 4 }, () => createMember(worker)));
    const place = (member: TestMember, lat: number) =>
      member.send("PUT", `/api/profile-position/${member.id}`, {
        profileId: member.id,
        overrideLat: lat,
        overrideLon: -112.07,
        use: "OVERRIDE",
        hide: false,
      });
    await place(one!, 33.44);
    await place(near!, 33.5);
    await place(far!, 40);
    await place(outsider!, 33.44);
    for (const player of [one!, near!, far!]) await player.send("PUT", "/api/games/cooties", { playing: true });
    const state = await one!.get<{ carrier: boolean; near: { profileId: number }[] }>("/api/games/cooties");
    expect(state.carrier).toBe(true);
    expect(state.near.map((player) => player.profileId)).toEqual([near!.id]);
    const tag = (id: number) => one!.send("POST", "/api/games/cooties/tag", { profileId: id });
    expect((await tag(far!.id)).status).toBe(404);
    expect((await tag(outsider!.id)).status).toBe(404);
    const tagged = await tag(near!.id);
    expect(await tagged.json()).toMatchObject({ carrier: false, tags: 1 });
    const caught = await near!.get<{ carrier: boolean; near: unknown[] }>("/api/games/cooties");
    expect(caught).toMatchObject({ carrier: true, near: [] });
    expect((await tag(near!.id)).status).toBe(404);
  });
});
