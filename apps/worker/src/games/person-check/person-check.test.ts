import {
  CHECK_AGREED_SHARE_MIN,
  CHECK_HELD_MS,
  CHECK_JUDGED_MAX_MS,
  CHECK_JUDGES_MAX,
  CHECK_POSE_MS,
  CHECK_READ_AGAIN_MS,
  CHECK_SERVED_MS,
  CHECK_UPLOAD_SLACK_MS,
  DAY_MS,
} from "@lambda/contract/limits";
import type { OwnPersonCheck, PersonCheckCase } from "@lambda/contract/person-check";
import type { NearbyBriefPage } from "@lambda/contract/positions";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { BERLIN, CROWD, createCrowd, MADRID, standAt } from "@lambda/testing/judges";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import {
  createJudges,
  createPictured,
  drawItems,
  findSeat,
  handIn as handInStills,
  judgeAs,
  look,
} from "@lambda/testing/scenes/person-check";
import { readCost } from "@lambda/testing/scenes/positions";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { hidePictureQueries } from "../../pictures/queries.ts";
import { batch, openDatabase } from "../../platform/db/database.ts";
import { answersNeeded, drawJudges, drawPose, verdictOf } from "./rules.ts";

let worker: TestWorker;
let man: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  man = await createPictured(worker);
});

const run = (query: string, ...values: (string | number)[]) => worker.run({ query, values });
const all = async (query: string) => (await worker.env.DB.prepare(query).all()).results;
const own = () => man.get<OwnPersonCheck>("/api/person-check");
const stills = () => all("select id from picture where audience = 'once'");
const stillKeys = async () =>
  (await worker.env.PICTURES.list({ prefix: `once/${man.id}/` })).objects.map(({ key }) => key);
const errorOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
const checkedSeenBy = async (viewer: TestMember) => {
  const among = await viewer.get<{ profileId: number; month: string }[]>(
    `/api/person-check/among?profileIds=${man.id}`,
  );
  const near = await viewer.get<NearbyBriefPage["items"]>("/api/profile-briefs/nearest?checked=true&size=30");
  expect(near.some(({ profileId }) => profileId === man.id)).toBe(among.length === 1);
  return among;
};
/** Hands stills in to judges of whom five have to answer. */
async function handIn(by: TestMember): Promise<OwnPersonCheck> {
  const answer = await handInStills(by);
  await run("update person_check set answers_needed = 5");
  return answer;
}
/** Gives a member the badge, without judges. */
const giveBadge = (member = man) =>
  run(
    `insert or replace into person_check (profile_id, state, pose, compared, ts_started, ts_decided, ts_checked)
     select ?1, 'him', '{}', json_group_array(id || ':' || version), 1, 1, ${Date.now() - DAY_MS}
     from picture where profile_id = ?1 and audience = 'public'`,
    member.id,
  );

describe("a check", () => {
  it("takes a pose, three stills and judges elsewhere, gives the badge, and deletes the stills", async () => {
    const near = await createJudges(worker, 2, { at: BERLIN });
    const sameBrand = await createJudges(worker, 2, { brand: "ember" });
    const judges = await createJudges(worker, 5);
    await createCrowd(worker);
    const viewer = await createMember(worker);
    await worker.run(standAt(viewer.id, BERLIN));
    expect(await own()).toMatchObject({ state: "none", pose: null, month: null, comparable: true });
    expect(await handIn(man)).toMatchObject({ state: "judging", pose: null });
    expect(await stills()).toHaveLength(3);
    for (const judge of [...near, ...sameBrand]) {
      expect(await all(`select 1 from person_check_seat where judge_id = ${judge.id}`)).toEqual([]);
      expect(await findSeat(worker, judge)).toBeUndefined();
    }
    expect(await judgeAs(worker, judges, "not_him", 1)).toBe(1);
    expect(await judgeAs(worker, judges, "him", 3)).toBe(3);
    expect(await own()).toMatchObject({ state: "judging" });
    expect(await checkedSeenBy(viewer)).toEqual([]);
    expect(await judgeAs(worker, judges, "him")).toBe(1);
    const month = new Date().toISOString().slice(0, 7);
    expect(await own()).toMatchObject({ state: "him", month, refusals: 0 });
    expect(await checkedSeenBy(viewer)).toEqual([{ profileId: man.id, month }]);
    // Not on the judges' brand, where the member may have no device.
    expect(await all("select brand from notification where kind = 'picture'")).toEqual([{ brand: "ember" }]);
    expect([await stills(), await stillKeys(), await all("select * from person_check_seat")]).toEqual([[], [], []]);
    expect(await all("select pose, stills, key from person_check")).toEqual([{ pose: "{}", stills: "[]", key: null }]);
    // A year and a month later it is over.
    await run(`update person_check set ts_checked = ts_checked - ${400 * DAY_MS}`);
    expect(await checkedSeenBy(viewer)).toEqual([]);
    expect(await own()).toMatchObject({ month: null });
  });

  it("is refused by most, may be tried again after a day, and goes to staff with its stills the third time", async () => {
    const judges = await createJudges(worker, 3);
    await createCrowd(worker);
    const admin = await createMember(worker, { adminBrand: "ember" });
    // The badge is for all brands, so its stills are for none of a sister brand's staff, also where the member is listed there.
    const elsewhere = await createMember(worker, { adminBrand: "harbor", brand: "harbor" });
    await run("update profile set shared_on = 7 where id = ?", man.id);
    const picture = (by: TestMember, index: number) => by.fetch(`/api/admin/person-check/${man.id}/${index}`);
    for (const refusals of [1, 2]) {
      await handIn(man);
      expect(await judgeAs(worker, judges, "not_him")).toBe(2);
      expect(await own()).toMatchObject({ state: "not_him", refusals, tsAgain: expect.any(String) });
      expect(await stillKeys()).toEqual([]);
      expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("TOO_MANY_REQUESTS");
      await run(`update person_check set ts_decided = ts_decided - ${DAY_MS}`);
      await run("delete from game_pack");
    }
    expect(await admin.get("/api/admin/person-checks")).toEqual([]);
    await handIn(man);
    expect(await judgeAs(worker, judges, "unclear")).toBe(2);
    expect(await own()).toMatchObject({ state: "staff", refusals: 3 });
    expect(await stills()).toHaveLength(3);
    expect(await elsewhere.get("/api/admin/person-checks")).toEqual([]);
    const [waiting] = await admin.get<PersonCheckCase[]>("/api/admin/person-checks");
    expect(waiting).toMatchObject({
      profileId: man.id,
      pictures: 2,
      pose: { number: expect.stringMatching(/^\d{4}$/) },
    });
    for (const index of [0, 1, 2, 3, 4]) expect((await picture(admin, index)).status).toBe(200);
    expect((await picture(admin, 5)).status).toBe(404);
    for (const by of [man, judges[0]!, elsewhere]) expect((await picture(by, 0)).status).not.toBe(200);
    const decide = { profileId: man.id, answer: "him" };
    expect((await elsewhere.send("POST", "/api/admin/person-check", decide)).status).toBe(404);
    expect((await admin.send("POST", "/api/admin/person-check", decide)).status).toBe(200);
    expect(await own()).toMatchObject({ state: "him", refusals: 0, month: expect.any(String) });
    expect(await stillKeys()).toEqual([]);
    expect(await all("select action from audit_entry order by seq")).toEqual([
      ...[0, 1, 2].map(() => ({ action: "staff.stills_viewed" })),
      { action: "staff.person_checked" },
    ]);
    expect((await admin.send("POST", "/api/admin/person-check", decide)).status).toBe(404);
  });

  it("waits a month after staff refused it, and is theirs at once from then on", async () => {
    await createCrowd(worker);
    const admin = await createMember(worker, { adminBrand: "ember" });
    await handIn(man);
    await run("update person_check set state = 'staff'");
    const decide = { profileId: man.id, answer: "not_him" };
    expect((await admin.send("POST", "/api/admin/person-check", decide)).status).toBe(200);
    expect(await own()).toMatchObject({ state: "not_him", refusals: 3 });
    await run(`update person_check set ts_decided = ts_decided - ${29 * DAY_MS}`);
    expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("TOO_MANY_REQUESTS");
    await run(`update person_check set ts_decided = ts_decided - ${DAY_MS}`);
    expect(await handIn(man)).toMatchObject({ state: "staff" });
  });

  it("takes the answers that the lot requires, of whoever is first", async () => {
    await createCrowd(worker);
    const [last] = await createJudges(worker, 1);
    await handInStills(man);
    const [row] = (await all("select answers_needed needed from person_check")) as { needed: number }[];
    expect(row!.needed).toBe(answersNeeded(CROWD + 1, CROWD + 1));
    const others = Math.round(row!.needed * CHECK_AGREED_SHARE_MIN) - 1;
    await run(
      `update person_check_seat set answer = 'him' where judge_id in
       (select judge_id from person_check_seat where judge_id <> ${last!.id} limit ${others})`,
    );
    expect(await own()).toMatchObject({ state: "judging" });
    expect(await judgeAs(worker, [last!], "him")).toBe(1);
    expect(await own()).toMatchObject({ state: "him" });
  });

  it("goes to staff after a week, and is deleted when they leave it", async () => {
    await createCrowd(worker);
    const pass = async () => {
      await run("update person_check set ts_due = 1");
      await worker.runCron("* * * * *");
    };
    await handIn(man);
    const [due] = (await all("select ts_due - unixepoch() * 1000 ms from person_check")) as { ms: number }[];
    expect(Math.round(due!.ms / DAY_MS)).toBe(CHECK_JUDGED_MAX_MS / DAY_MS);
    await pass();
    expect(await own()).toMatchObject({ state: "staff" });
    expect(await all("select * from person_check_seat")).toEqual([]);
    await pass();
    expect(await own()).toMatchObject({ state: "expired" });
    expect([await stills(), await stillKeys()]).toEqual([[], []]);
  });

  it("goes to staff where proven players are too few or not elsewhere", async () => {
    await createJudges(worker, 9);
    expect(await handIn(man)).toMatchObject({ state: "staff" });
    await run("update person_check set state = 'not_him', ts_decided = 1");
    await createCrowd(worker);
    await run("update game_pool set voters = 299");
    expect(await handIn(man)).toMatchObject({ state: "staff" });
  });
});

describe("the pose", () => {
  it("is one of many, is kept for its minute by the server's clock, and is drawn five times a day", async () => {
    const poses = new Set(Array.from({ length: 1000 }, () => JSON.stringify(drawPose(Math.random))));
    expect(poses.size).toBeGreaterThan(980);
    const start = async () => (await (await man.send("POST", "/api/person-check")).json()) as OwnPersonCheck;
    const first = await start();
    expect((await start()).pose).toEqual(first.pose);
    for (let drawn = 1; drawn < 5; drawn += 1) {
      await run(`update person_check set ts_started = ts_started - ${CHECK_POSE_MS + 1}`);
      expect(await own()).toMatchObject({ state: "expired", pose: null });
      expect((await start()).pose).not.toBeNull();
    }
    await run(`update person_check set ts_started = ts_started - ${CHECK_POSE_MS + 1}`);
    expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("TOO_MANY_REQUESTS");
  });

  it.each([
    ["made before", async () => (await uploadPicture(man, { audience: "once" })).id, "BAD_INPUT"],
    ["a public picture", async () => (await uploadPicture(man)).id, "BAD_INPUT"],
    [
      "another member's",
      async () => (await uploadPicture(await createMember(worker), { audience: "once" })).id,
      "BAD_INPUT",
    ],
    ["in a message", () => sendOnce(), "BAD_INPUT"],
  ])("takes no still that is %s", async (what, upload, code) => {
    const early = what === "made before" ? await upload() : 0;
    await run("update picture set ts_created = ts_created - 1000 where audience = 'once'");
    await man.send("POST", "/api/person-check");
    const two = [await uploadPicture(man, { audience: "once" }), await uploadPicture(man, { audience: "once" })];
    const pictures = [...two.map(({ id }) => id), early || (await upload())];
    expect(await errorOf(await man.send("POST", "/api/person-check/stills", { pictures }))).toBe(code);
  });

  it("takes no stills late, twice, too few, or one of them three times", async () => {
    await man.send("POST", "/api/person-check");
    const ids: number[] = [];
    for (let still = 0; still < 3; still += 1) ids.push((await uploadPicture(man, { audience: "once" })).id);
    const submit = (pictures: readonly number[]) => man.send("POST", "/api/person-check/stills", { pictures });
    expect(await errorOf(await submit(ids.slice(1)))).toBe("BAD_INPUT");
    expect(await errorOf(await submit([ids[0]!, ids[0]!, ids[0]!]))).toBe("BAD_INPUT");
    await run(`update person_check set ts_started = ts_started - ${CHECK_POSE_MS + CHECK_UPLOAD_SLACK_MS + 1000}`);
    expect(await errorOf(await submit(ids))).toBe("CONFLICT");
    await run(`update person_check set ts_started = ts_started + ${CHECK_UPLOAD_SLACK_MS}`);
    expect((await submit(ids)).status).toBe(200);
    expect(await errorOf(await submit(ids))).toBe("CONFLICT");
  });

  it("needs a picture to compare and to be seen, and is off in a country that punishes unless chosen", async () => {
    const bare = await createMember(worker);
    expect(await errorOf(await bare.send("POST", "/api/person-check"))).toBe("NOT_ALLOWED");
    await run("update profile set hidden = 1 where id = ?", man.id);
    expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("HIDING");
    await run("update profile set hidden = 0 where id = ?", man.id);
    const viewer = await createMember(worker);
    await worker.run(standAt(viewer.id, BERLIN));
    await giveBadge();
    expect(await checkedSeenBy(viewer)).toHaveLength(1);
    // Chosen where nobody is punished it means nothing.
    expect((await man.send("POST", "/api/person-check", { evenHere: true })).status).toBe(200);
    await run("update person_check set ts_started = 1");
    const arriveAt = async (overrideLat: number, overrideLon: number) => {
      const report = { profileId: man.id, use: "OVERRIDE", precision: "street", overrideLat, overrideLon };
      expect((await man.send("PUT", `/api/profile-position/${man.id}`, report)).status).toBe(200);
      const stay = { shown: "usual", withdrawn: false, muted: false };
      expect((await man.send("PUT", "/api/travel/stay", stay)).status).toBe(200);
    };
    await arriveAt(24.7, 46.7);
    expect(await own()).toMatchObject({ punishing: true, month: null });
    expect(await checkedSeenBy(viewer)).toEqual([]);
    expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("NOT_ALLOWED");
    expect((await man.send("POST", "/api/person-check", { evenHere: true })).status).toBe(200);
    expect(await checkedSeenBy(viewer)).toHaveLength(1);
    // Nor does the choice go along to the next country.
    await arriveAt(30.05, 31.25);
    expect(await own()).toMatchObject({ punishing: true, month: null });
    expect(await checkedSeenBy(viewer)).toEqual([]);
  });
});

/** Lets time pass since the pictures of an item were read. */
async function passSince(itemId: number, ms: number): Promise<void> {
  const [pack] = (await all(`select items from game_pack where items ->> '$."${itemId}"' is not null`)) as {
    items: string;
  }[];
  const items = JSON.parse(pack!.items) as Record<string, { shown: number; reads: Record<string, number> }>;
  const item = items[itemId]!;
  item.shown -= ms;
  for (const index of Object.keys(item.reads)) item.reads[index]! -= ms;
  await run(`update game_pack set items = ? where items ->> '$."${itemId}"' is not null`, JSON.stringify(items));
}

describe("the judges", () => {
  const drawn = async () => (await all("select distinct judge_id id from person_check_seat")).map(({ id }) => id);

  it("are none who may be the member, by network or, once that is forgotten, by the week of joining", async () => {
    const judges = await createJudges(worker, 7);
    await createCrowd(worker);
    const own = judges.map(({ id }) => id);
    await run("update account set network = 77 where id = ?", man.id);
    for (const id of own) await run("update account set network = 77 where id = ?", id);
    expect(await handIn(man)).toMatchObject({ state: "judging" });
    expect((await drawn()).filter((id) => own.includes(id as number))).toEqual([]);
    await run("update person_check set state = 'not_him', ts_decided = 1");
    await run("update account set network = null");
    const { created } = (await all(`select ts_created created from account where id = ${man.id}`))[0] as {
      created: number;
    };
    const week = created - (created % (7 * DAY_MS));
    for (const [index, id] of own.entries())
      await run("update account set ts_created = ? where id = ?", week + index, id);
    expect(await handIn(man)).toMatchObject({ state: "judging" });
    expect((await drawn()).filter((id) => own.includes(id as number))).toEqual([]);
  });

  it("are active proven players of this week, in no ring, none of the staff, and without a block", async () => {
    const judges = await createJudges(worker, 7);
    await createCrowd(worker);
    const [fit, ...unfit] = judges.map(({ id }) => id) as [number, ...number[]];
    for (const [index, change] of [
      "update game_record set ts_last = 1 where profile_id = ?",
      "update game_record set proven = 0 where profile_id = ?",
      "update game_record set collusion = 1 where profile_id = ?",
      "update account set admin_brand = 'harbor' where id = ?",
      "update profile set status = 'suspended' where id = ?",
      `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ${man.id}, 0, 1, 1)`,
    ].entries())
      await run(change, unfit[index]!);
    await handIn(man);
    const ids = await drawn();
    expect(judges.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual([fit]);
  });

  it("are no more at once than answers are missing, and those who come too late notice nothing", async () => {
    const judges = await createJudges(worker, 3);
    await createCrowd(worker);
    await handIn(man);
    await run("update person_check set answers_needed = 2");
    const [first, second, third] = judges;
    const items: number[] = [];
    for (const judge of judges) items.push((await findSeat(worker, judge))!.itemId);
    const vote = async (judge: TestMember, itemId: number, answer: string) =>
      judge.send("POST", "/api/games/ishim/vote", { itemId, answer });
    expect(await look(first!, items[0]!)).toEqual(Array(6).fill(200));
    expect(await look(second!, items[1]!)).toEqual(Array(6).fill(200));
    // While two look, nobody else does.
    expect(await look(third!, items[2]!)).toEqual(Array(6).fill(404));
    expect(await findSeat(worker, third!)).toBeUndefined();
    const results = [
      await vote(first!, items[0]!, "him"),
      await vote(second!, items[1]!, "him"),
      await vote(third!, items[2]!, "not_him"),
    ];
    expect(results.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [one, , other] = await Promise.all(results.map((result) => result.json()));
    expect(other).toEqual(one);
    expect(await own()).toMatchObject({ state: "him" });
  });

  it("look once, however many items of a check they drew: at once, on each brand, or the day before", async () => {
    const [judge] = (await createJudges(worker, 1)) as [TestMember];
    await createCrowd(worker);
    await handIn(man);
    const brands = [judge, await judge.onBrand("ember"), await judge.onBrand("bramble")];
    const draws = await Promise.all([...brands, ...brands].map(drawItems));
    await run("update game_pack set day = day - 1");
    draws.push(await drawItems(judge));
    const items = [...new Set(draws.flat().map(({ itemId }) => itemId))];
    expect(items.length).toBeGreaterThan(3);
    const looks: number[][] = [];
    for (const itemId of items) looks.push(await look(judge, itemId));
    expect(looks).toEqual(items.map((_, index) => Array(6).fill(index === 0 ? 200 : 404)));
  });

  it("are heard only while they are proven", async () => {
    const [unproven, proven] = (await createJudges(worker, 2)) as [TestMember, TestMember];
    await createCrowd(worker);
    await handIn(man);
    await run("update person_check set answers_needed = 1");
    await run("update game_record set known = '{}', proven = 0 where profile_id = ?", unproven.id);
    expect(await judgeAs(worker, [unproven], "not_him")).toBe(1);
    expect([await own(), await all("select 1 from person_check_seat where answer is not null")]).toMatchObject([
      { state: "judging" },
      [],
    ]);
    await run("update person_check_seat set ts_shown = 1 where judge_id = ?", unproven.id);
    expect(await judgeAs(worker, [proven], "him")).toBe(1);
    expect(await own()).toMatchObject({ state: "him" });
  });

  it("may look when those before do not answer, and an answer without the pictures counts nothing", async () => {
    const judges = await createJudges(worker, 2);
    await createCrowd(worker);
    await handIn(man);
    await run("update person_check set answers_needed = 1");
    const items = await Promise.all(judges.map(async (judge) => (await findSeat(worker, judge))!.itemId));
    const looked = await Promise.all(judges.map((judge, index) => look(judge, items[index]!)));
    // At once, one of them sees all and the other nothing, or nothing but what came before.
    expect(looked.filter((statuses) => statuses.every((status) => status === 200))).toHaveLength(1);
    const shown = Date.now() - CHECK_HELD_MS - 1;
    await run(`update person_check_seat set ts_shown = iif(judge_id = ?, null, ${shown})`, judges[0]!.id);
    await run("update game_pack set items = '{}', issued = 0");
    const { itemId } = (await findSeat(worker, judges[0]!))!;
    const answer = { itemId, answer: "not_him" };
    expect((await judges[0]!.send("POST", "/api/games/ishim/vote", answer)).status).toBe(201);
    expect(await own()).toMatchObject({ state: "judging" });
  });

  it("cannot tell an exercise from a check by the answer, and same faces without the pose are no badge", async () => {
    for (let count = 0; count < 3; count += 1)
      await giveBadge(await createPictured(worker, { pictures: 4, brand: "harbor" }));
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    await handIn(man);
    const judge = judges[0]!;
    const items = await drawItems(judge);
    expect(items.length).toBeGreaterThan(1);
    const check = (await findSeat(worker, judge))!;
    const shapes: unknown[] = [];
    for (const item of items) {
      const [pack] = (await all(
        `select items -> '$."${item.itemId}"' item from game_pack where profile_id = ${judge.id}`,
      )) as { item: string }[];
      const pairs = (JSON.parse(pack!.item) as { pairs: number[][] }).pairs;
      const facts: unknown[] = [Object.keys(item), Object.keys(item.pose), new Set(pairs.map(([first]) => first)).size];
      for (const pass of [0, CHECK_READ_AGAIN_MS]) {
        if (pass > 0) await passSince(item.itemId, pass);
        for (const index of [0, 1, 2, 3, 4, 5]) {
          const headers = { "if-none-match": "*" };
          const response = await judge.fetch(`/api/games/ishim/picture/${item.itemId}/${index}`, { headers });
          const sent = [...response.headers].filter(([name]) => /^(cache|content-t|etag|expires|last|vary)/.test(name));
          facts.push([response.status, readCost(response, "trips"), sent]);
        }
      }
      shapes.push(facts);
    }
    expect(shapes).toEqual(items.map(() => shapes[0]));
    const vote = await judge.send("POST", "/api/games/ishim/vote", { itemId: check.itemId, answer: "no_pose" });
    expect(vote.status).toBe(201);
    expect(await all("select answer from person_check_seat where answer is not null")).toEqual([{ answer: "not_him" }]);
  });

  it("get a check that comes later in a day among new exercises", async () => {
    for (let count = 0; count < 3; count += 1)
      await giveBadge(await createPictured(worker, { pictures: 4, brand: "harbor" }));
    const judges = await createJudges(worker, 5);
    await createCrowd(worker);
    const before = await Promise.all(judges.map(drawItems));
    expect(before.map(({ length }) => length)).toEqual([3, 3, 3, 3, 3]);
    // Exercises alone are half of a day's, so that some are left.
    await run("update game_pack set items = '{}'");
    expect(await Promise.all(judges.map(drawItems))).toEqual([[], [], [], [], []]);
    await handIn(man);
    expect((await Promise.all(judges.map(drawItems))).map(({ length }) => length)).toEqual([4, 4, 4, 4, 4]);
  });
});

describe("the stills", () => {
  it("are in no list, on no other route, and read by a judge once, within seconds, under a number", async () => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    await handIn(man);
    const [still] = (await stills()) as { id: number }[];
    expect(await man.get<unknown[]>(`/api/profile-pics/${man.id}`)).toHaveLength(2);
    const judge = judges[0]!;
    const other = await createMember(worker, { brand: "harbor" });
    const item = (await findSeat(worker, judge))!;
    const at = (by: TestMember, index: number | string) => by.fetch(`/api/games/ishim/picture/${item.itemId}/${index}`);
    for (const by of [man, judge, other]) {
      for (const path of [
        `profile-pic/${still!.id}`,
        `profile-pic/nsfw/${still!.id}`,
        `profile/pic/${still!.id}?orig=1`,
      ])
        expect((await by.fetch(`/api/${path}`)).status).toBe(404);
    }
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const response = await at(judge, index);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      expect((await at(other, index)).status).toBe(404);
    }
    for (const index of [6, -1, "x"]) expect((await at(judge, index)).status).toBe(404);
    // Not for somebody who hides or blocks.
    await run("update profile set hidden = 1 where id = ?", man.id);
    expect((await at(judge, 0)).status).toBe(404);
    await run("update profile set hidden = 0 where id = ?", man.id);
    // Again for a lost answer, no later.
    expect((await at(judge, 0)).status).toBe(200);
    await passSince(item.itemId, CHECK_READ_AGAIN_MS);
    for (const index of [0, 1, 2, 3, 4, 5]) expect((await at(judge, index)).status).toBe(404);
  });

  it("end together: one that was not read within seconds of the first is not read at all", async () => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    await handIn(man);
    const judge = judges[0]!;
    const { itemId } = (await findSeat(worker, judge))!;
    const read = async (index: number) => (await judge.fetch(`/api/games/ishim/picture/${itemId}/${index}`)).status;
    expect(await Promise.all([read(0), read(0), read(0)])).toEqual([200, 200, 200]);
    expect(await all("select items from game_pack where items like '%.0%'")).toEqual([]);
    await passSince(itemId, CHECK_SERVED_MS - 1000);
    expect([await read(1), await read(0)]).toEqual([200, 404]);
    await passSince(itemId, 1000);
    expect(await read(2)).toBe(404);
    // The item stays to be answered, under the same number, also after midnight; on the day after that under none.
    const found: unknown[] = [];
    for (let day = 0; day < 3; day += 1) {
      found.push((await findSeat(worker, judge))?.itemId);
      await run("update game_pack set day = day - 1");
    }
    expect(found).toEqual([itemId, itemId, undefined]);
  });

  it("are for judges elsewhere, and moving about tells a judge nothing of where the man is", async () => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    await handIn(man);
    const [near, far] = judges;
    const shows = async (judge: TestMember, itemId: number) =>
      (await judge.fetch(`/api/games/ishim/picture/${itemId}/0`)).status;
    // Without a place nothing is decided; the first place decides for good.
    await run("delete from position where profile_id = ?", near!.id);
    expect(await findSeat(worker, near!)).toBeUndefined();
    for (const point of [BERLIN, MADRID]) {
      await worker.run(standAt(near!.id, point));
      expect(await findSeat(worker, near!)).toBeUndefined();
    }
    const { itemId } = (await findSeat(worker, far!))!;
    for (const point of [MADRID, BERLIN, MADRID]) {
      await worker.run(standAt(far!.id, point));
      expect([(await findSeat(worker, far!))?.itemId, await shows(far!, itemId)]).toEqual([itemId, 200]);
    }
  });

  it("cannot be sent to anybody, whose report would lose them with the verdict", async () => {
    await createCrowd(worker);
    const reader = await createMember(worker);
    await handIn(man);
    const [still] = (await stills()) as { id: number }[];
    const response = await man.send("POST", "/api/message", {
      senderProfileId: man.id,
      recipientProfileId: reader.id,
      attachment: { type: "once", pictureId: still!.id },
    });
    expect([response.status, await errorOf(response)]).toEqual([404, "NOT_FOUND"]);
  });

  it("leave a trace of the admin for each that he opens", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    await handIn(man);
    for (const index of [2, 1]) await admin.fetch(`/api/admin/person-check/${man.id}/${index}`);
    expect(await all("select action from audit_entry")).toEqual([
      { action: "staff.stills_viewed" },
      { action: "staff.stills_viewed" },
    ]);
  });

  it("wait for staff in the order of their accounts, so that new ones hide nobody", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const fresh = await createPictured(worker);
    for (const by of [fresh, man]) await handIn(by);
    await run("update account set ts_created = ts_created + 1 where id = ?", fresh.id);
    const waiting = await admin.get<PersonCheckCase[]>("/api/admin/person-checks");
    expect(waiting.map(({ profileId }) => profileId)).toEqual([man.id, fresh.id]);
  });

  it("expire only while they wait, not when staff decided in the same moment", async () => {
    await giveBadge();
    await run("update person_check set ts_due = 1");
    await worker.runCron("* * * * *");
    expect(await own()).toMatchObject({ state: "him", month: expect.any(String) });
  });

  it("go when he deletes the account, which is a refusal with its day of waiting, should he come back", async () => {
    await createCrowd(worker);
    await handIn(man);
    const now = Date.now();
    await run("update session set ts_proved = ? where account_id = ?", now, man.id);
    expect((await man.send("POST", "/api/account/deletion", {})).status).toBe(200);
    await worker.runCron("* * * * *");
    expect([await stills(), await stillKeys()]).toEqual([[], []]);
    expect(await all(`select state, refusals, ts_decided >= ${now} as waits from person_check`)).toEqual([
      { state: "expired", refusals: 1, waits: 1 },
    ]);
  });

  it("go with the account, with a ban, and when he ends it, which is a refusal", async () => {
    await createCrowd(worker);
    await handIn(man);
    expect((await man.send("POST", "/api/person-check/withdraw")).status).toBe(200);
    expect(await own()).toMatchObject({ state: "expired", refusals: 1, tsAgain: expect.any(String) });
    expect([await stills(), await stillKeys()]).toEqual([[], []]);
    await run("update person_check set ts_decided = 1");
    await handIn(man);
    await run("update person_check set state = 'staff'");
    await run("update profile set status = 'deleted' where id = ?", man.id);
    await worker.runCron("* * * * *");
    expect([await stills(), await stillKeys()]).toEqual([[], []]);
    expect(await all("select state, refusals from person_check")).toEqual([{ state: "expired", refusals: 2 }]);
  });
});

describe("the badge", () => {
  it.each([
    ["a new picture", () => uploadPicture(man)],
    ["a replaced one", async () => uploadPicture(man, { replaceId: await firstPicture() })],
    ["one that is no longer marked NSFW", () => unmark()],
    ["the last compared one gone", () => run("update profile set pics_public = '[]' where id = ?", man.id)],
  ])("ends with %s", async (what, change) => {
    if (what.startsWith("one that")) await uploadPicture(man, { nsfw: true });
    await giveBadge();
    await run("update person_check set compared = json_remove(compared, '$[2]')");
    expect((await own()).month).not.toBeNull();
    await change();
    expect((await own()).month).toBeNull();
  });

  it.each([
    [
      "put first",
      async (id: number) => man.send("PUT", "/api/profile-pics", { profilePicIds: [id, await firstPicture()] }),
    ],
    [
      "that replaces the compared ones",
      async () => {
        for (const id of await man
          .get<{ id: number }[]>("/api/profile-pics/mine")
          .then((all) => all.map(({ id }) => id))) {
          await man.send("PUT", `/api/profile-pic/${id}`, { nsfw: true });
          await uploadPicture(man, { replaceId: id });
        }
      },
    ],
  ])("is not for another face on a picture marked NSFW %s", async (_, change) => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    const { id } = await uploadPicture(man, { nsfw: true });
    await handIn(man);
    await judgeAs(worker, judges, "him");
    expect((await own()).month).not.toBeNull();
    await change(id);
    expect((await own()).month).toBeNull();
  });

  it("is back when staff find the notices false that hid the pictures, which needs no account", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const viewer = await createMember(worker);
    await worker.run(standAt(viewer.id, BERLIN));
    // Left as the only one, it is no picture of a checked face.
    const { id: marked } = await uploadPicture(man, { nsfw: true });
    await giveBadge();
    await run("update person_check set compared = json_remove(compared, '$[2]')");
    const shown = (await man.get<{ id: number }[]>("/api/profile-pics/mine")).map(({ id }) => id);
    const compared = shown.filter((id) => id !== marked);
    const { ref } = await fileConfirmed(worker, createVisitor(worker), {
      location: compared.map((id) => `/profile-pic/${id}`).join("\n"),
    });
    // As copies that it attached would be.
    const db = openDatabase(worker.env.DB);
    const hide = (id: number) => hidePictureQueries(db, { id, profile_id: man.id }, Date.now());
    await batch(worker.env.DB, compared.flatMap(hide));
    await run("update notice_picture set state = 'hidden'");
    expect([(await own()).month, await checkedSeenBy(viewer)]).toEqual([null, []]);
    const [notice] = await admin.get<{ id: number }[]>("/api/admin/notices");
    const reject = { reason: "Seen: it is the member." };
    expect((await admin.send("POST", `/api/admin/notice/${notice!.id}/reject`, reject)).status, ref).toBe(200);
    // Restored pictures come last.
    await man.send("PUT", "/api/profile-pics", { profilePicIds: shown });
    expect((await own()).month).not.toBeNull();
    expect(await checkedSeenBy(viewer)).toHaveLength(1);
  });

  it("is withheld, and no check begins, while a picture marked NSFW comes first", async () => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    const { id } = await uploadPicture(man, { nsfw: true });
    await handIn(man);
    await man.send("PUT", "/api/profile-pics", { profilePicIds: [id, await firstPicture()] });
    await judgeAs(worker, judges, "him");
    expect(await own()).toMatchObject({ state: "him", month: null, comparable: false });
    expect(await errorOf(await man.send("POST", "/api/person-check"))).toBe("NOT_ALLOWED");
  });

  it("stays with one picture less, a private one or one marked NSFW", async () => {
    await giveBadge();
    await man.send("DELETE", `/api/profile-pic/${await firstPicture()}`);
    await uploadPicture(man, { audience: "private" });
    await uploadPicture(man, { nsfw: true });
    expect((await own()).month).not.toBeNull();
  });

  it("is withheld when a picture became public while it was judged", async () => {
    const judges = await createJudges(worker, 9);
    await createCrowd(worker);
    await handIn(man);
    await uploadPicture(man);
    await judgeAs(worker, judges, "him");
    expect(await own()).toMatchObject({ state: "him", month: null });
  });

  it("obeys hide and blocks, and opens first contact to those alone who have it", async () => {
    const [viewer, picky] = [await createMember(worker), await createMember(worker)];
    await worker.run(standAt(viewer.id, BERLIN));
    await picky.send("PUT", "/api/chat-preferences", { firstContact: { checkedOnly: true } });
    const write = async () =>
      (
        await man.send("POST", "/api/message", {
          senderProfileId: man.id,
          recipientProfileId: picky.id,
          bodyText: "Hello",
        })
      ).status;
    expect(await write()).toBe(403);
    await giveBadge();
    expect(await write()).toBe(201);
    expect(await checkedSeenBy(viewer)).toHaveLength(1);
    await run("update profile set hidden = 1 where id = ?", man.id);
    expect(await checkedSeenBy(viewer)).toEqual([]);
    await run("update profile set hidden = 0 where id = ?", man.id);
    await viewer.send("PUT", "/api/profile-like", { likedProfileId: man.id, blocked: true });
    expect(await checkedSeenBy(viewer)).toEqual([]);
  });
});

it("lets anybody practise on pairs of checked members' pictures, which prove a player, and counts silence of the unproven", async () => {
  for (let count = 0; count < 3; count += 1) {
    man = await createPictured(worker, { pictures: 4 });
    await giveBadge();
  }
  const player = await createMember(worker, { created: Date.now() - 40 * DAY_MS });
  const rights: unknown[] = [];
  for (let day = 0; day < 4; day += 1) {
    const items = (await (await player.send("POST", "/api/games/ishim/draw")).json()) as { itemId: number }[];
    for (const { itemId } of items) {
      expect(await look(player, itemId)).toEqual([200, 200, 200, 200, 200, 200]);
      const known = await worker.env.DB.prepare("select items -> ? ->> 'known' as k from game_pack where k is not null")
        .bind(`$."${itemId}"`)
        .first<string>("k");
      const vote = await player.send("POST", "/api/games/ishim/vote", { itemId, answer: known });
      expect((await player.send("POST", "/api/games/ishim/vote", { itemId, answer: known })).status).toBe(404);
      rights.push(((await vote.json()) as { right: boolean }).right);
    }
    await run("update game_pack set day = day - 1, issued_known = issued_known");
  }
  expect(rights.length).toBeGreaterThan(9);
  expect(new Set(rights)).toEqual(new Set([true]));
  expect(await player.get("/api/games/check/record")).toMatchObject({ counts: true, accuracy: 1 });
});

it("makes no exercises of members whose badge is off where they are", async () => {
  for (let count = 0; count < 2; count += 1) {
    man = await createPictured(worker, { pictures: 4 });
    await giveBadge();
  }
  const player = await createMember(worker, { created: Date.now() - 40 * DAY_MS });
  expect(await drawItems(player)).not.toEqual([]);
  await run("delete from game_pack");
  await run(`insert into travel_stay (profile_id, country, shown, hid_member, ts_seen)
    select profile_id, 'EG', 'usual', 0, 1 from person_check`);
  expect(await drawItems(player)).toEqual([]);
});

it("needs more answers than the lot gives to fifty accounts, four in five of them agreeing, of at most a fifth who may be one person", () => {
  const of = (him: number, notHim: number, unclear = 0) => [
    ...Array.from({ length: him }, () => "him" as const),
    ...Array.from({ length: notHim }, () => "not_him" as const),
    ...Array.from({ length: unclear }, () => "unclear" as const),
  ];
  expect(
    [100, 300, 1000, 10_000].map((players) => answersNeeded(Math.min(players, CHECK_JUDGES_MAX), players)),
  ).toEqual([75, 56, 26, 14]);
  expect(verdictOf(of(7, 2), 10)).toBeUndefined();
  expect(verdictOf(of(8, 2), 10)).toBe("him");
  expect(verdictOf(of(7, 3), 10)).toBe("not_him");
  expect(verdictOf(of(2, 1, 2), 10)).toBe("unclear");
  const crowd = Array.from({ length: 200 }, (_, id) => ({ id, network: id < 150 ? 99 : id, tsJoined: 0 }));
  const { judges, needed } = drawJudges(crowd, 10_000, { network: 199, tsJoined: 0 });
  expect([needed, judges.length, judges.includes(199)]).toEqual([14, 51, false]);
  expect(judges.filter((id) => id < 150)).toHaveLength(2);
  expect(drawJudges(crowd, 200, { network: 199, tsJoined: 0 }).judges).toEqual([]);
});

async function firstPicture(): Promise<number> {
  const [first] = await man.get<{ id: number }[]>(`/api/profile-pics/${man.id}`);
  return first!.id;
}
const unmark = () => run("update picture set nsfw_owner = 0");
/** A picture that opens once, which its reader may open before the check is decided. */
async function sendOnce(): Promise<number> {
  const [{ id }, reader] = [await uploadPicture(man, { audience: "once" }), await createMember(worker)];
  const sent = await man.send("POST", "/api/message", {
    senderProfileId: man.id,
    recipientProfileId: reader.id,
    attachment: { type: "once", pictureId: id },
  });
  expect(sent.status).toBe(201);
  return id;
}
