/** Notices from anybody: how they are filed, what they hide, and what they must not reveal. */
import {
  DAY_MS,
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_DISOWNED_MS,
  NOTICE_HIDDEN_PER_OWNER_MAX,
  NOTICE_MAILBOX_DISTRUSTED_MS,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_STEPS_MAX,
  NOTICES_OF_FLOODS_PER_STEP,
  NOTICES_PER_MAILBOX_NORMAL,
  NOTICES_PER_NETWORK_NORMAL,
} from "@lambda/contract/limits";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { createMember, type TestMember } from "@lambda/testing/member";
import {
  type Challenge,
  fileNotice,
  INTIMATE_NOTICE,
  openReceipt,
  parseReceiptLink,
  post,
  solveNewChallenge,
} from "@lambda/testing/notices";
import { uploadPicture } from "@lambda/testing/pictures";
import { hitLimit } from "@lambda/testing/rate-limits";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { createVisitor, randomIp, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { waitFor } from "@lambda/testing/wait-for";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { scheduledContext } from "../../notifications/notify.ts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { mailboxMarks } from "./keyed-hashes.ts";
import { matchNotice } from "./match.ts";
import { countNotice } from "./proof-of-work.ts";

let worker: TestWorker;
let visitor: TestVisitor;
beforeEach(async () => {
  worker = await startWorker();
  visitor = createVisitor(worker);
});

async function rows<Row = Record<string, unknown>>(query: string, ...values: (string | number)[]): Promise<Row[]> {
  const [found] = await worker.run({ query, values });
  return found as Row[];
}

const confirmed = (draft: Record<string, unknown>) => fileConfirmed(worker, visitor, draft);

async function scene() {
  const [owner, other] = [await createMember(worker, { name: "Owner" }), await createMember(worker, { name: "Other" })];
  const { id: picture } = await uploadPicture(owner, { bytes: makeScenePng(7) });
  return { owner, other, picture };
}
const pictureStatus = async (member: TestMember, picture: number) =>
  (await member.fetch(`/api/profile-pic/${picture}`)).status;
const addressOf = (picture: number) => ({ location: `It is at https://ember.example/api/profile-pic/${picture}` });
const copyOf = (seed: number) => ({ picture: makeScenePng(seed, { width: 144, height: 180 }).toString("base64") });
const namesPicture = (picture: number, seed = 7) => ({ ...addressOf(picture), ...copyOf(seed) });

describe("a notice about an intimate picture", () => {
  it("hides it from everybody once its address is confirmed, and notifies the owner without naming the notifier", async () => {
    const { owner, other, picture } = await scene();
    const response = await fileNotice(visitor, namesPicture(picture));
    expect(response.status).toBe(201);
    const filed = (await response.json()) as { ref: string; secret: string; tsDue: string };
    expect(Date.parse(filed.tsDue)).toBeGreaterThan(Date.now() + 1.9 * DAY_MS);
    // The receipt without the mail's code does not confirm the address.
    expect(await openReceipt(visitor, filed)).toMatchObject({ state: "open", confirmed: false });
    expect(await pictureStatus(other, picture)).toBe(200);

    const receipt = parseReceiptLink((await waitForMail(worker, INTIMATE_NOTICE.email)).text);
    expect(receipt).toMatchObject({ ref: filed.ref, secret: filed.secret });
    const opened = await openReceipt(visitor, receipt);
    expect(opened).toMatchObject({ state: "open", confirmed: true, reason: "", counter: null });
    await waitFor(async () => expect(await pictureStatus(other, picture)).toBe(404));
    expect(await other.get(`/api/profile/${owner.id}`)).toMatchObject({ profilePicIds: [] });
    // The receipt reveals no more than before.
    expect(await openReceipt(visitor, receipt)).toEqual(opened);

    // The owner sees it pixelated and cannot download the original.
    const seen = await owner.fetch(`/api/profile-pic/nsfw/${picture}`);
    expect([seen.status, seen.headers.get("etag")]).toEqual([200, expect.stringContaining("pixelated")]);
    expect((await owner.fetch(`/api/profile/pic/${picture}?orig=1`)).status).toBe(404);
    const own = await owner.get<{ id: number }[]>("/api/notices/mine");
    expect(own).toMatchObject([{ state: "hidden", category: "intimate", pictureIds: [picture], reason: "" }]);
    const told = JSON.stringify([own, await owner.get(`/api/notifications/${owner.id}`)]);
    expect(told).toContain("One of your pictures is hidden");
    for (const secret of ["Ann", "ann@", filed.ref]) expect(told).not.toContain(secret);
    expect(await other.get("/api/notices/mine")).toEqual([]);
  });

  it("hides it even from members who load it between the response and the hiding", async () => {
    const { other, picture } = await scene();
    await fileNotice(visitor, { ...namesPicture(picture), email: "moment@example.test" });
    const receipt = parseReceiptLink((await waitForMail(worker, "moment@example.test")).text);
    let isHidden = false;
    const look = async () => {
      while (!isHidden) await pictureStatus(other, picture);
    };
    const looking = Promise.all([look(), look(), look(), look()]);
    await openReceipt(visitor, receipt);
    await waitFor(async () => {
      expect(await rows("select id from notice where ref = ? and ts_matched is not null", receipt.ref)).toHaveLength(1);
    });
    isHidden = true;
    await looking;
    // Much sooner than cached picture rights expire by themselves.
    await vi.waitFor(async () => expect(await pictureStatus(other, picture)).toBe(404), { timeout: 3000 });
  });

  it("gets the same response whether or not the picture exists", async () => {
    const { picture } = await scene();
    const shapes: unknown[] = [];
    for (const draft of [
      namesPicture(picture),
      addressOf(picture),
      addressOf(987_654),
      { location: "", ...copyOf(8) },
      { location: "/profile/1" },
    ]) {
      const receipt = await confirmed(draft);
      const opened = await openReceipt(visitor, receipt);
      shapes.push({ ...opened, ref: "", tsCreated: "", tsDue: "" });
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it("notifies the owner once per picture, and refers to at most ten pictures", async () => {
    const { owner, other, picture } = await scene();
    await confirmed(namesPicture(picture));
    await confirmed(namesPicture(picture));
    expect(await pictureStatus(other, picture)).toBe(404);
    const told = await owner.get<{ kind: string }[]>(`/api/notifications/${owner.id}`);
    expect(told.filter(({ kind }) => kind === "standing")).toHaveLength(1);
    expect(await rows("select notice_id from notice_picture where state = 'hidden'")).toHaveLength(2);

    const many = Array.from({ length: 30 }, (_, at) => `/api/profile-pic/${picture + at}`).join(" ");
    await confirmed({ location: many, email: "many@example.test" });
    expect((await rows("select picture_id from notice_picture")).length).toBeLessThanOrEqual(12);
  });

  it("by address alone hides nothing, however many mailboxes write one, and waits for staff", async () => {
    const { other, picture } = await scene();
    const admin = await createMember(worker, { adminBrand: "ember" });
    for (const location of [
      ...Array.from({ length: 20 }, () => addressOf(picture).location),
      `https://evil.example/api/profile-pic/${picture}`,
      `picture ${picture}`,
    ]) {
      await fileConfirmed(worker, createVisitor(worker), { location });
    }
    await confirmed({ ...addressOf(picture), ...copyOf(8) });
    expect(await pictureStatus(other, picture)).toBe(200);
    expect(await admin.get<{ tsDue: string }[]>("/api/admin/notices")).toHaveLength(23);
  });

  it("hides three pictures of one member for any number of mailboxes, and then still what somebody from elsewhere attaches", async () => {
    const { owner, other } = await scene();
    const ids: number[] = [];
    for (let seed = 10; seed < 16; seed += 1) ids.push((await uploadPicture(owner, { bytes: makeScenePng(seed) })).id);
    const isHidden = () => Promise.all(ids.map(async (id) => (await pictureStatus(other, id)) === 404));
    // The owner, with pictures of little worth to them: the fourth is what the notices are to protect.
    for (const [at, id] of ids.slice(0, 5).entries()) await confirmed(namesPicture(id, 10 + at));
    expect(await isHidden()).toEqual([true, true, true, false, false, false]);
    expect(NOTICE_HIDDEN_PER_OWNER_MAX).toBe(3);
    await fileConfirmed(worker, createVisitor(worker), namesPicture(ids[5]!, 15));
    expect(await isHidden()).toEqual([true, true, true, false, false, true]);
    // A second mailbox there has nothing more, and what is hidden already stays so for each who attaches it.
    await fileConfirmed(worker, visitor, namesPicture(ids[5]!, 15));
    expect(await rows("select state from notice_picture where picture_id = ?", ids[5]!)).toEqual([
      { state: "hidden" },
      { state: "hidden" },
    ]);
  });

  it("hides what its sender attaches although strangers had 300 pictures hidden", async () => {
    const { other, picture } = await scene();
    const { id: theirs } = await uploadPicture(await createMember(worker), { bytes: makeScenePng(9) });
    const carrier = randomIp();
    await fileConfirmed(worker, createVisitor(worker, "ember", carrier), namesPicture(theirs, 9));
    await worker.run({
      query: `insert into notice_picture (notice_id, picture_id, profile_id, version, state, ts_created)
        select h.notice_id, -n.value, h.profile_id, 1, 'hidden', 1 from notice_picture h, json_each(?) n`,
      values: [JSON.stringify(Array.from({ length: 300 }, (_, at) => at + 1))],
    });
    // Behind the same address, after a false notice from it.
    const admin = await createMember(worker, { adminBrand: "ember" });
    await fileConfirmed(worker, createVisitor(worker, "ember", carrier), addressOf(theirs));
    const [late] = await rows<{ id: number }>("select id from notice order by ts_created desc");
    const rejection = { reason: "That is a drawing.", unfounded: true };
    expect((await admin.send("POST", `/api/admin/notice/${late!.id}/reject`, rejection)).status).toBe(200);
    await fileConfirmed(worker, createVisitor(worker, "ember", carrier), namesPicture(picture));
    expect(await pictureStatus(other, picture)).toBe(404);
  });

  it("never hides at once a picture that staff kept, nor another for a mailbox whose notice was false within a year, under any key", async () => {
    const { other, picture } = await scene();
    const admin = await createMember(worker, { adminBrand: "ember" });
    await confirmed({ ...namesPicture(picture), email: "false@example.test" });
    const [notice] = await rows<{ id: number }>("select id from notice");
    const rejection = { reason: "That is a drawing.", unfounded: true };
    expect((await admin.send("POST", `/api/admin/notice/${notice!.id}/reject`, rejection)).status).toBe(200);
    expect(await pictureStatus(other, picture)).toBe(200);
    // Another sender, the same picture: staff have kept it.
    visitor = createVisitor(worker);
    await confirmed(namesPicture(picture));
    expect(await pictureStatus(other, picture)).toBe(200);
    // The same mailbox in another spelling and another network, another picture, as a copy.
    const { id: second } = await uploadPicture(await createMember(worker), { bytes: makeScenePng(8) });
    const email = "false+again@example.test";
    visitor = createVisitor(worker);
    await confirmed({ ...namesPicture(second, 8), email });
    expect(await pictureStatus(other, second)).toBe(200);
    const states = () => rows("select state from notice_picture where picture_id = ?", second);
    expect(await states()).toEqual([{ state: "named" }]);
    // The same once more, filed after the site's key has changed.
    const rotated = Object.assign(Object.create(worker.env), { SITE_KEY: `2:new,1:${worker.env.SITE_KEY}` }) as Env;
    const [again] = await rows<{ id: number }>("select max(id) as id from notice where email = ?", email);
    await rows("delete from notice_picture where picture_id = ?", second);
    await worker.env.DB.prepare("update notice set ts_matched = null, sender_mailbox = ? where id = ?")
      .bind(mailboxMarks(rotated, email)[0], again!.id)
      .run();
    await matchNotice(scheduledContext(rotated, "ember", Date.now()), again!.id);
    expect(await states()).toEqual([{ state: "named" }]);
    await rows("update notice set ts_decided = ts_decided - ?", NOTICE_MAILBOX_DISTRUSTED_MS);
    await confirmed({ ...namesPicture(second, 8), email });
    expect(await pictureStatus(other, second)).toBe(404);
  });

  it("goes to the staff of a brand that lists the owner", async () => {
    const owner = await createMember(worker, { brand: "harbor" });
    const { id: picture } = await uploadPicture(owner);
    await confirmed(addressOf(picture));
    expect(await rows("select brand from notice")).toEqual([{ brand: "harbor" }]);
    const ember = await createMember(worker, { adminBrand: "ember" });
    expect(await ember.get("/api/admin/notices")).toEqual([]);
    expect((await ember.fetch(`/api/notice-picture/1/${picture}`)).status).toBe(404);
  });

  it.each<[string, { brand?: "harbor"; sharedOn?: number }, string]>([
    ["the owner's home brand, if no brand lists the owner", { brand: "harbor", sharedOn: 0 }, "harbor"],
    ["the brand that received it, if that lists the owner", { brand: "harbor", sharedOn: 3 }, "ember"],
    ["the brand that received it, if that is an unlisted owner's home", { sharedOn: 0 }, "ember"],
  ])("goes to the staff of %s", async (_, owner, brand) => {
    const bytes = makeScenePng(7);
    await uploadPicture(await createMember(worker, owner), { bytes });
    await confirmed({ location: "", picture: bytes.toString("base64") });
    expect(await rows("select brand from notice n join notice_picture h on h.notice_id = n.id")).toEqual([{ brand }]);
  });

  it("is matched by the scheduled job if the request ended too early", async () => {
    const { other, picture } = await scene();
    await confirmed(namesPicture(picture));
    await worker.run(
      { query: "update notice set ts_matched = null" },
      { query: "delete from notice_picture" },
      { query: "update picture set hidden_by_staff = 0" },
    );
    await worker.runCron("* * * * *");
    expect(await pictureStatus(other, picture)).toBe(404);
  });
});

describe("the fields of a notice", () => {
  const illegal = {
    kind: "illegal",
    category: "threat",
    explanation: "He writes to people that he will come to their homes.",
  } as const;

  it.each([
    ["role", { role: undefined }],
    ["name", { name: " " }],
    ["email", { email: undefined }],
    ["email", { email: "nobody" }],
    ["location", { location: " " }],
    ["goodFaith", { goodFaith: false }],
    ["category", { category: "spam" }],
    ["location", { location: "x".repeat(2001) }],
    ["name", { name: "x".repeat(10_000) }],
    ["explanation", { explanation: "x".repeat(5_000_000) }],
    ["explanation", { ...illegal, explanation: "Bad." }],
    ["email", { ...illegal, email: undefined }],
    ["category", { ...illegal, category: "intimate" }],
  ])("are rejected for a missing, wrong or oversized %s", async (field, draft) => {
    const response = await fileNotice(visitor, draft);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field } });
    expect(await rows("select id from notice")).toEqual([]);
  });

  it("need not include a name for offenses against minors; such a notice hides nothing by itself", async () => {
    const { other, picture } = await scene();
    const anonymous = { ...illegal, category: "minor", name: "", email: undefined, role: undefined };
    const response = await fileNotice(visitor, { ...anonymous, location: `/api/profile-pic/${picture}` });
    expect(response.status).toBe(201);
    const filed = (await response.json()) as { ref: string; secret: string };
    expect(await openReceipt(visitor, filed)).toMatchObject({ anonymous: true, confirmed: true, tsDue: null });
    await waitFor(async () => expect(await rows("select state from notice_picture")).toEqual([{ state: "named" }]));
    expect(await pictureStatus(other, picture)).toBe(200);
  });

  it("are stored as written and escaped in mails", async () => {
    const html = '<img src=x onerror="alert(1)">';
    const receipt = await confirmed({ name: html, location: html, email: "html@example.test" });
    const admin = await createMember(worker, { adminBrand: "ember" });
    const [{ id }] = (await rows<{ id: number }>("select id from notice")) as [{ id: number }];
    expect(await admin.get(`/api/admin/notice/${id}`)).toMatchObject({ name: html, location: html });
    await admin.send("POST", `/api/admin/notice/${id}/ask`, { text: html });
    await waitFor(async () => {
      const mails = (await (await visitor.fetch("/dev/mail.json")).json()) as { subject: string; html: string }[];
      const mail = mails.find(({ subject }) => subject.includes("need to know more"));
      expect(mail?.html).toContain("&lt;img");
      expect(mail?.html).not.toContain("<img");
    });
    const answered = await post(visitor, `/api/notice/${receipt.ref}/answer`, { secret: receipt.secret, text: html });
    expect(await answered.json()).toMatchObject({ state: "open", messages: [{ by: "staff" }, { by: "notifier" }] });
    const again = await post(visitor, `/api/notice/${receipt.ref}/answer`, { secret: receipt.secret, text: "More" });
    expect(again.status).toBe(409);
  });
});

describe("a failed write", () => {
  const failing = async <Result>(insert: string, act: () => Promise<Result>): Promise<Result> => {
    await worker.env.DB.exec(
      `create trigger broken before insert on ${insert} begin select raise(abort, 'broken'); end`,
    );
    try {
      return await act();
    } finally {
      await worker.env.DB.exec("drop trigger broken");
    }
  };

  it("stores no notice whose receipt is not stored, so that filing it again sends one", async () => {
    expect((await failing("mail_queue", () => fileNotice(visitor))).status).toBe(500);
    expect(await rows("select id from notice")).toEqual([]);
    expect((await fileNotice(visitor)).status).toBe(201);
    await waitForMail(worker, INTIMATE_NOTICE.email);
    await waitFor(async () => expect(await rows("select id from mail_queue")).toEqual([]));
  });

  it("leaves a notice unconfirmed, so that opening the link again confirms and logs it", async () => {
    await fileNotice(visitor);
    const { ref, ...rest } = parseReceiptLink((await waitForMail(worker, INTIMATE_NOTICE.email)).text);
    const open = () => post(visitor, `/api/notice/${ref}/receipt`, rest);
    const failed = await failing("audit_entry", open);
    expect([failed.status, await rows("select ts_confirmed from notice")]).toEqual([500, [{ ts_confirmed: null }]]);
    expect(await (await open()).json()).toMatchObject({ confirmed: true });
    expect(await rows("select action from audit_entry")).toEqual([{ action: "notice.received" }]);
  });

  it("leaves a question open, so that it can still be answered", async () => {
    const receipt = await confirmed({});
    await rows("update notice set state = 'asked'");
    const answer = () =>
      post(visitor, `/api/notice/${receipt.ref}/answer`, { secret: receipt.secret, text: "The left one." });
    const failed = await failing("notice_message", answer);
    expect([failed.status, await rows("select state from notice")]).toEqual([500, [{ state: "asked" }]]);
    expect(await (await answer()).json()).toMatchObject({ state: "open", messages: [{ text: "The left one." }] });
  });
});

describe("floods", () => {
  it("need a proof of work that is issued by this brand, complete, fresh and unused", async () => {
    const withQuotas = { enforceQuotas: true };
    // Real visitors get the full difficulty; tests solve an easy challenge, which is signed and checked in the same
    // way.
    const fullChallenge = (await (await post(visitor, "/api/notice-challenge", {}, withQuotas)).json()) as Challenge;
    expect(fullChallenge).toMatchObject({ bits: NOTICE_WORK_BITS, answers: NOTICE_WORK_ANSWERS });
    const proof = await solveNewChallenge(visitor);
    const undone = { challenge: fullChallenge.challenge, answers: proof.answers };
    const file = (used: unknown, options: { now?: number } = {}) =>
      post(visitor, "/api/notices", { ...INTIMATE_NOTICE, proof: used }, { ...withQuotas, ...options });
    const [nonce, ends, bits, step, signature] = proof.challenge.split(".");
    const refusals: [string, unknown, { now?: number }][] = [
      ["FORGED", { ...proof, challenge: [nonce, ends, "1", step, signature].join(".") }, {}],
      ["FORGED", { ...proof, challenge: [nonce, ends, bits, "2", signature].join(".") }, {}],
      ["FORGED", { ...proof, challenge: [nonce, Number(ends) + 1, bits, step, signature].join(".") }, {}],
      ["FORGED", { ...proof, challenge: "" }, {}],
      ["UNDONE", undone, {}],
      ["EXPIRED", proof, { now: Date.now() + NOTICE_CHALLENGE_TTL_MS + 1 }],
    ];
    for (const [reason, used, options] of refusals) {
      const refused = await file(used, options);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({ error: expect.objectContaining({ field: "proof", reason }) }),
      ]);
    }
    expect((await file({ ...proof, answers: [1] })).status).toBe(400);
    // A challenge of another brand.
    const elsewhere = await post(
      createVisitor(worker, "harbor"),
      "/api/notices",
      { ...INTIMATE_NOTICE, proof },
      withQuotas,
    );
    expect(await elsewhere.json()).toMatchObject({ error: { reason: "FORGED" } });
    expect((await file(proof)).status).toBe(201);
    expect(await (await file(proof)).json()).toMatchObject({ error: { field: "proof", reason: "USED" } });
  });

  /** The challenges are easy, to keep the test fast; the notices count. */
  const fileCounted = async (from: TestVisitor, { harder = 0, ...draft }: Record<string, unknown> = {}) => {
    const proof = await solveNewChallenge(from, { harder: harder as number });
    const response = await post(from, "/api/notices", { ...INTIMATE_NOTICE, ...draft, proof }, { enforceQuotas: true });
    return { status: response.status, ...((await response.json()) as { error?: object }) };
  };
  const tooEasy = {
    status: 429,
    error: {
      code: "TOO_MANY_REQUESTS",
      field: "proof",
      reason: "TOO_EASY",
      message: expect.stringContaining("Many notices"),
    },
  };

  it("from one network take more and more work, but the 500th of a day gets its receipt and nobody is refused", async () => {
    const ip = randomIp();
    const from = createVisitor(worker, "ember", ip);
    const file = (harder: number, count: number) =>
      fileCounted(from, { harder, email: `${harder}-${count}@example.test` });
    for (let count = 0; count < NOTICES_PER_NETWORK_NORMAL; count += 1) expect((await file(0, count)).status).toBe(201);
    expect(await file(0, 10)).toMatchObject(tooEasy);
    expect((await file(1, 11)).status).toBe(201);
    await hitLimit(worker, `notices-1:${ip}`, 10 * NOTICES_PER_NETWORK_NORMAL - 1, DAY_MS);
    expect(await file(1, 12)).toMatchObject(tooEasy);
    const before = 499 - 11 * NOTICES_PER_NETWORK_NORMAL;
    await hitLimit(worker, "notices-of-floods-2", before, DAY_MS);
    expect((await file(2, 500)).status).toBe(201);
    const receipt = parseReceiptLink((await waitForMail(worker, "2-500@example.test")).text);
    expect(await openReceipt(from, receipt)).toMatchObject({ confirmed: true });
    await hitLimit(worker, "notices-of-floods-2", NOTICES_OF_FLOODS_PER_STEP - before - 1, DAY_MS);
    expect(await file(2, 501)).toMatchObject(tooEasy);
    expect((await file(3, 502)).status).toBe(201);
    for (let step = 3; step < NOTICE_WORK_STEPS_MAX; step += 1)
      await hitLimit(worker, `notices-of-floods-${step}`, NOTICES_OF_FLOODS_PER_STEP, DAY_MS);
    const count = (harder: number) =>
      countNotice({ env: worker.env, ip, undo: [] as Context["undo"] } as Context, harder, undefined);
    await expect(count(NOTICE_WORK_STEPS_MAX - 1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    await expect(count(NOTICE_WORK_STEPS_MAX)).resolves.toBeUndefined();
    // Whoever shares no network with a flood notices nothing of it.
    expect((await fileCounted(visitor, { email: "elsewhere@example.test" })).status).toBe(201);
  });

  it("of files that cannot be read count nothing, so that the good one needs no harder work", async () => {
    const from = createVisitor(worker, "ember", randomIp());
    const picture = Buffer.from("no picture").toString("base64");
    for (let count = 0; count < NOTICES_PER_NETWORK_NORMAL + 1; count += 1)
      expect((await fileCounted(from, { picture })).status).toBe(400);
    expect((await fileCounted(from, {})).status).toBe(201);
  });

  it("in somebody's name do not use up their receipts, and none is accepted without its mail", async () => {
    const { other, picture } = await scene();
    const email = "named@example.test";
    const strangers = Array.from({ length: NOTICES_PER_MAILBOX_NORMAL }, () => createVisitor(worker));
    for (const stranger of strangers) expect((await fileCounted(stranger, { email })).status).toBe(201);
    await waitForMail(worker, email, NOTICES_PER_MAILBOX_NORMAL - 1);
    const draft = { ...namesPicture(picture), email: "Named+mine@example.test" };
    expect(await fileCounted(visitor, draft)).toMatchObject(tooEasy);
    expect((await fileCounted(visitor, { ...draft, harder: 1 })).status).toBe(201);
    const receipt = parseReceiptLink((await waitForMail(worker, "named+mine@example.test")).text);
    expect(await openReceipt(visitor, receipt)).toMatchObject({ confirmed: true });
    await waitFor(async () => expect(await pictureStatus(other, picture)).toBe(404));
    expect(await rows("select id from notice")).toHaveLength(NOTICES_PER_MAILBOX_NORMAL + 1);
  });

  it("in somebody's name end when the owner of the address says so, and that notice can no longer be confirmed", async () => {
    const email = "disowns@example.test";
    await fileNotice(visitor, { email });
    const { text } = await waitForMail(worker, email);
    const { ref, secret, code } = parseReceiptLink(text);
    expect(text).toContain(`/notice/${ref}#${secret}.${code}.no`);
    const disown = (proof: string) => post(visitor, `/api/notice/${ref}/disown`, { secret, code: proof });
    expect((await disown(secret)).status).toBe(404);
    expect((await disown(code ?? "")).status).toBe(200);
    expect(await openReceipt(visitor, { ref, secret, ...(code && { code }) })).toMatchObject({ confirmed: false });
    const admin = await createMember(worker, { adminBrand: "ember" });
    const [notice] = await admin.get<{ id: number }[]>("/api/admin/notices");
    expect(await admin.get(`/api/admin/notice/${notice!.id}`)).toMatchObject({ disowned: true });
    const refused = await fileNotice(createVisitor(worker), { email: "Disowns+1@example.test" });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { field: "email", reason: "DISOWNED" } },
    ]);
    await rows("update notice set ts_disowned = ts_disowned - ?", NOTICE_DISOWNED_MS);
    expect((await fileNotice(visitor, { email })).status).toBe(201);

    const mine = await confirmed({});
    const late = await post(visitor, `/api/notice/${mine.ref}/disown`, { secret: mine.secret, code: mine.code });
    expect(late.status).toBe(409);
  });

  it("in somebody's name never close the door to their mailbox", async () => {
    const email = "flooded@example.test";
    for (const [step, count] of [
      ["", 10],
      ["-1", 100],
    ] as const) {
      await hitLimit(worker, `notice-mailbox:${email}${step}`, count, DAY_MS);
    }
    expect((await fileCounted(visitor, { email, harder: 2 })).status).toBe(201);
    await waitForMail(worker, email);
  });

  it("learn nothing from receipts: an unknown number and a wrong secret get the same response", async () => {
    const { ref } = await confirmed({});
    const secret = "x".repeat(43);
    const wrong = await post(visitor, `/api/notice/${ref}/receipt`, { secret });
    const unknown = await post(visitor, "/api/notice/0000000000/receipt", { secret });
    expect([wrong.status, await wrong.text()]).toEqual([404, await unknown.text()]);
    expect((await post(visitor, "/api/notice/x/receipt", { secret: 5 })).status).toBe(400);
    // The code of another notice does not confirm this one.
    const other = (await (await fileNotice(visitor, { email: "b@example.test" })).json()) as {
      ref: string;
      secret: string;
    };
    const { code } = parseReceiptLink((await waitForMail(worker, "b@example.test")).text);
    const third = (await (await fileNotice(visitor, { email: "c@example.test" })).json()) as typeof other;
    expect(await openReceipt(visitor, { ...third, ...(code && { code }) })).toMatchObject({ confirmed: false });
    // Its secret does not open another notice.
    expect((await post(visitor, `/api/notice/${ref}/receipt`, { secret: third.secret })).status).toBe(404);
  });
});
