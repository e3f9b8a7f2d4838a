/** A notice from anybody: how it comes in, what it hides, and what nobody learns by it. */
import {
  DAY_MS,
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICES_PER_NETWORK_PER_DAY_MAX,
} from "@lambda/contract/limits";
import { as, type TestMember } from "@lambda/testing/member";
import { type Challenge, fileNotice, INTIMATE, openReceipt, post, proofOf } from "@lambda/testing/notices";
import { uploadPicture } from "@lambda/testing/pictures";
import { receiptIn } from "@lambda/testing/receipts";
import { until } from "@lambda/testing/until";
import { asVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it, vi } from "vitest";

let worker: TestWorker;
let visitor: TestVisitor;
beforeEach(async () => {
  worker = await startWorker();
  visitor = asVisitor(worker);
});

async function rows<Row = Record<string, unknown>>(query: string, ...values: (string | number)[]): Promise<Row[]> {
  const [found] = await worker.run({ query, values });
  return found as Row[];
}

let mailed = 0;
/** Files with an address of its own and opens the mail's link; answers when the pictures were looked for. */
async function confirmed(draft: Record<string, unknown>, options: { now?: number } = {}) {
  mailed += 1;
  const email = (draft.email as string | undefined) ?? `sender${mailed}@example.test`;
  expect((await fileNotice(visitor, { ...draft, email }, options)).status).toBe(201);
  const receipt = receiptIn((await waitForMail(worker, email)).text);
  await openReceipt(visitor, receipt, options);
  await until(async () => {
    expect(await rows("select id from notice where ref = ? and ts_matched is not null", receipt.ref)).toHaveLength(1);
  });
  return receipt;
}

async function scene() {
  const [owner, other] = [await as(worker, { name: "Owner" }), await as(worker, { name: "Other" })];
  const { id: picture } = await uploadPicture(owner);
  return { owner, other, picture };
}
const sees = async (member: TestMember, picture: number) => (await member.fetch(`/api/profile-pic/${picture}`)).status;
const namesPicture = (picture: number) => ({ location: `It is at https://ember.example/api/profile-pic/${picture}` });

describe("a notice about an intimate picture", () => {
  it("hides it from everybody once its address is confirmed, and tells the owner without naming who asked", async () => {
    const { owner, other, picture } = await scene();
    const answer = await fileNotice(visitor, namesPicture(picture));
    expect(answer.status).toBe(201);
    const filed = (await answer.json()) as { ref: string; secret: string; tsDue: string };
    expect(Date.parse(filed.tsDue)).toBeGreaterThan(Date.now() + 1.9 * DAY_MS);
    // The page's own receipt proves no address.
    expect(await openReceipt(visitor, filed)).toMatchObject({ state: "open", confirmed: false });
    expect(await sees(other, picture)).toBe(200);

    const receipt = receiptIn((await waitForMail(worker, INTIMATE.email)).text);
    expect(receipt).toMatchObject({ ref: filed.ref, secret: filed.secret });
    const opened = await openReceipt(visitor, receipt);
    expect(opened).toMatchObject({ state: "open", confirmed: true, reason: "", counter: null });
    await until(async () => expect(await sees(other, picture)).toBe(404));
    expect(await other.get(`/api/profile/${owner.id}`)).toMatchObject({ profilePicIds: [] });
    // The receipt says no more than before.
    expect(await openReceipt(visitor, receipt)).toEqual(opened);

    // Its owner sees what is meant, pixelated, and cannot put another in its place or take the file along.
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

  it("hides it from whoever looked at it in the moment between the answer and the hiding", async () => {
    const { other, picture } = await scene();
    await fileNotice(visitor, { ...namesPicture(picture), email: "moment@example.test" });
    const receipt = receiptIn((await waitForMail(worker, "moment@example.test")).text);
    let isHidden = false;
    const look = async () => {
      while (!isHidden) await sees(other, picture);
    };
    const looking = Promise.all([look(), look(), look(), look()]);
    await openReceipt(visitor, receipt);
    await until(async () => {
      expect(await rows("select id from notice where ref = ? and ts_matched is not null", receipt.ref)).toHaveLength(1);
    });
    isHidden = true;
    await looking;
    // Much sooner than what is known of a picture expires by itself.
    await vi.waitFor(async () => expect(await sees(other, picture)).toBe(404), { timeout: 3000 });
  });

  it("answers the same whether or not what it names exists", async () => {
    const { picture } = await scene();
    const shapes: unknown[] = [];
    for (const location of [
      `/api/profile-pic/${picture}`,
      "/api/profile-pic/987654",
      "somebody called Nobody",
      "/profile/1",
    ]) {
      const receipt = await confirmed({ location });
      const opened = await openReceipt(visitor, receipt);
      shapes.push({ ...opened, ref: "", tsCreated: "", tsDue: "" });
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it("counts once for the same picture, and names at most ten", async () => {
    const { owner, other, picture } = await scene();
    await confirmed(namesPicture(picture));
    await confirmed(namesPicture(picture));
    expect(await sees(other, picture)).toBe(404);
    const told = await owner.get<{ kind: string }[]>(`/api/notifications/${owner.id}`);
    expect(told.filter(({ kind }) => kind === "standing")).toHaveLength(1);
    expect(await rows("select notice_id from notice_picture where state = 'hidden'")).toHaveLength(2);

    const many = Array.from({ length: 30 }, (_, at) => `/api/profile-pic/${picture + at}`).join(" ");
    await confirmed({ location: many, email: "many@example.test" });
    expect((await rows("select picture_id from notice_picture")).length).toBeLessThanOrEqual(12);
  });

  it.each([
    ["another site's address", (id: number) => `https://evil.example/api/profile-pic/${id}`],
    ["a number without an address", (id: number) => `picture ${id}`],
  ])("hides nothing by %s", async (_, location) => {
    const { other, picture } = await scene();
    await confirmed({ location: location(picture) });
    expect(await sees(other, picture)).toBe(200);
  });

  it("hides nothing at once for a sender who was found false, nor what staff let stand", async () => {
    const { other, picture } = await scene();
    const admin = await as(worker, { adminBrand: "ember" });
    await confirmed({ ...namesPicture(picture), email: "false@example.test" });
    const [notice] = await rows<{ id: number }>("select id from notice");
    const rejection = { reason: "That is a drawing.", unfounded: true };
    expect((await admin.send("POST", `/api/admin/notice/${notice!.id}/reject`, rejection)).status).toBe(200);
    expect(await sees(other, picture)).toBe(200);
    // Another sender, the same picture.
    visitor = asVisitor(worker);
    await confirmed(namesPicture(picture));
    expect(await sees(other, picture)).toBe(200);
    // The same mailbox spelled otherwise, another picture and network.
    const { id: second } = await uploadPicture(await as(worker));
    visitor = asVisitor(worker);
    await confirmed({ ...namesPicture(second), email: "false+again@example.test" });
    expect(await sees(other, second)).toBe(200);
    expect(await rows("select state from notice_picture where picture_id = ?", second)).toEqual([{ state: "named" }]);
  });

  it("goes to staff of a brand on which the owner is", async () => {
    const owner = await as(worker, { brand: "harbor" });
    const { id: picture } = await uploadPicture(owner);
    await confirmed(namesPicture(picture));
    expect(await rows("select brand from notice")).toEqual([{ brand: "harbor" }]);
    const ember = await as(worker, { adminBrand: "ember" });
    expect(await ember.get("/api/admin/notices")).toEqual([]);
    expect((await ember.fetch(`/api/notice-picture/1/${picture}`)).status).toBe(404);
  });

  it("is matched by the clock when the worker ended too early", async () => {
    const { other, picture } = await scene();
    await confirmed(namesPicture(picture));
    await worker.run(
      { query: "update notice set ts_matched = null" },
      { query: "delete from notice_picture" },
      { query: "update picture set hidden_by_staff = 0" },
    );
    await worker.schedule("* * * * *");
    expect(await sees(other, picture)).toBe(404);
  });
});

describe("what a notice must say", () => {
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
  ])("names %s when it is missing or too long", async (field, draft) => {
    const answer = await fileNotice(visitor, draft);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "BAD_INPUT", field } });
    expect(await rows("select id from notice")).toEqual([]);
  });

  it("may be said without a name about offences against minors, and is not hidden by itself", async () => {
    const { other, picture } = await scene();
    const anonymous = { ...illegal, category: "minor", name: "", email: undefined, role: undefined };
    const answer = await fileNotice(visitor, { ...anonymous, location: `/api/profile-pic/${picture}` });
    expect(answer.status).toBe(201);
    const filed = (await answer.json()) as { ref: string; secret: string };
    expect(await openReceipt(visitor, filed)).toMatchObject({ anonymous: true, confirmed: true, tsDue: null });
    await until(async () => expect(await rows("select state from notice_picture")).toEqual([{ state: "named" }]));
    expect(await sees(other, picture)).toBe(200);
  });

  it("is kept as it was written, and stands in a mail as text", async () => {
    const html = '<img src=x onerror="alert(1)">';
    const receipt = await confirmed({ name: html, location: html, email: "html@example.test" });
    const admin = await as(worker, { adminBrand: "ember" });
    const [{ id }] = (await rows<{ id: number }>("select id from notice")) as [{ id: number }];
    expect(await admin.get(`/api/admin/notice/${id}`)).toMatchObject({ name: html, location: html });
    await admin.send("POST", `/api/admin/notice/${id}/ask`, { text: html });
    await until(async () => {
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

describe("floods", () => {
  it("need work that is asked for here, done, fresh and used once", async () => {
    const counted = { counted: true };
    // Of real visitors much is asked; a test has its own work done in no time, signed and counted like any other.
    const asked = (await (await post(visitor, "/api/notice-challenge", {}, counted)).json()) as Challenge;
    expect(asked).toMatchObject({ bits: NOTICE_WORK_BITS, answers: NOTICE_WORK_ANSWERS });
    const proof = await proofOf(visitor);
    const undone = { challenge: asked.challenge, answers: proof.answers };
    const file = (used: unknown, options: { now?: number } = {}) =>
      post(visitor, "/api/notices", { ...INTIMATE, proof: used }, { ...counted, ...options });
    const [nonce, ends, bits, signature] = proof.challenge.split(".");
    const refusals: [string, unknown, { now?: number }][] = [
      ["FORGED", { ...proof, challenge: [nonce, ends, "1", signature].join(".") }, {}],
      ["FORGED", { ...proof, challenge: [nonce, Number(ends) + 1, bits, signature].join(".") }, {}],
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
    // Of another brand.
    const elsewhere = await post(asVisitor(worker, "harbor"), "/api/notices", { ...INTIMATE, proof }, counted);
    expect(await elsewhere.json()).toMatchObject({ error: { reason: "FORGED" } });
    expect((await file(proof)).status).toBe(201);
    expect(await (await file(proof)).json()).toMatchObject({ error: { field: "proof", reason: "USED" } });
  });

  it("out of one network end at its cap, whatever work it does", async () => {
    // Uncounted challenges, to spare the test the work; the notices are counted.
    const file = async () =>
      (await post(visitor, "/api/notices", { ...INTIMATE, proof: await proofOf(visitor) }, { counted: true })).status;
    for (let count = 0; count < NOTICES_PER_NETWORK_PER_DAY_MAX; count += 1) expect(await file()).toBe(201);
    expect(await file()).toBe(429);
  });

  it("learn nothing from receipts: an unknown number and a wrong secret answer alike", async () => {
    const { ref } = await confirmed({});
    const secret = "x".repeat(43);
    const wrong = await post(visitor, `/api/notice/${ref}/receipt`, { secret });
    const unknown = await post(visitor, "/api/notice/0000000000/receipt", { secret });
    expect([wrong.status, await wrong.text()]).toEqual([404, await unknown.text()]);
    expect((await post(visitor, "/api/notice/x/receipt", { secret: 5 })).status).toBe(400);
    // A code of another notice confirms nothing.
    const other = (await (await fileNotice(visitor, { email: "b@example.test" })).json()) as {
      ref: string;
      secret: string;
    };
    const { code } = receiptIn((await waitForMail(worker, "b@example.test")).text);
    const third = (await (await fileNotice(visitor, { email: "c@example.test" })).json()) as typeof other;
    expect(await openReceipt(visitor, { ...third, ...(code && { code }) })).toMatchObject({ confirmed: false });
  });
});
