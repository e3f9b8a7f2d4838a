/** How far a notice reaches: which pictures it attaches and hides, which staff see them, and what their owners learn. */
import { ALL_BRANDS_MASK, type BrandId } from "@lambda/brands";
import { HOUR_MS, NOTICE_VIEW_TOLD_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import type { DeskNotice, DeskNoticeFile, NoticeFigures, OwnNotice } from "@lambda/contract/notices";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { openReceipt, parseReceiptLink } from "@lambda/testing/notices";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { createVisitor, listMails, type TestVisitor } from "@lambda/testing/visitor";
import { waitFor } from "@lambda/testing/wait-for";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const HOURLY = "7 * * * *";

let worker: TestWorker;
let visitor: TestVisitor;
let admins: Record<"ember" | "harbor" | "bramble" | "network", TestMember>;
beforeEach(async () => {
  worker = await startWorker();
  visitor = createVisitor(worker);
  const createAdmin = (brand: BrandId, adminBrand: string) =>
    createMember(worker, { brand, adminBrand, hidden: true } as object);
  admins = {
    ember: await createAdmin("ember", "ember"),
    harbor: await createAdmin("harbor", "harbor"),
    bramble: await createAdmin("bramble", "bramble"),
    network: await createAdmin("ember", "*"),
  };
});

const rows = async <Row>(query: string, ...values: (string | number)[]) =>
  (await worker.run({ query, values }))[0] as Row[];
const statusOf = async (member: TestMember, picture: number) =>
  (await member.fetch(`/api/profile-pic/${picture}`)).status;
const decide = async (admin: TestMember, id: number, step: string, body: object) =>
  (await admin.send("POST", `/api/admin/notice/${id}/${step}`, body)).status;
const look = async (admin: TestMember, notice: number, picture: number) =>
  (await admin.fetch(`/api/notice-picture/${notice}/${picture}`)).status;
const addressesOf = (ids: readonly number[]) => ids.map((id) => `/api/profile-pic/${id}`).join(" ");
/** A picture that a notifier attaches: the same as that seed's upload, but smaller. */
const smaller = (seed: number) => makeScenePng(seed, { width: 144, height: 180 }).toString("base64");

async function filesOf(admin: TestMember): Promise<DeskNoticeFile[]> {
  const notices = await admin.get<DeskNotice[]>("/api/admin/notices");
  return Promise.all(notices.map(({ id }) => admin.get<DeskNoticeFile>(`/api/admin/notice/${id}`)));
}

/** An owner and a friend to whom they show a picture of this audience. */
async function shown(audience: "private" | "chat" | "once", seed: number) {
  const [owner, friend] = [await createMember(worker), await createMember(worker)];
  // The friend has written, so that the owner may send pictures.
  await friend.send("POST", "/api/message", { recipientProfileId: owner.id, bodyText: "Show me" });
  const { id } = await uploadPicture(owner, { audience, bytes: makeScenePng(seed) });
  if (audience === "private") {
    expect((await owner.send("PUT", "/api/album-grant", { memberProfileId: friend.id })).status).toBe(200);
    return { owner, friend, id, status: () => statusOf(friend, id) };
  }
  const content = audience === "chat" ? { profilePicIds: [id] } : { attachment: { type: "once", pictureId: id } };
  const sent = await owner.send("POST", "/api/message", { recipientProfileId: friend.id, bodyText: "", ...content });
  expect(sent.status).toBe(201);
  const message = (await sent.json()) as Message;
  const open = () => friend.send("POST", `/api/message/${message.id}/open`, { opening: "a-word-of-this-device" });
  return {
    owner,
    friend,
    id,
    status: audience === "chat" ? () => statusOf(friend, id) : async () => (await open()).status,
  };
}

describe("a notice with sequential picture numbers", () => {
  async function manyPictures() {
    const secret = [await shown("private", 1), await shown("chat", 2), await shown("once", 3)];
    const hidden = await createMember(worker);
    const home = await createMember(worker, { brand: "harbor" });
    const shared = await createMember(worker, { brand: "harbor", sharedOn: ALL_BRANDS_MASK });
    const unseen = [(await uploadPicture(hidden)).id, (await uploadPicture(home, { audience: "private" })).id];
    await rows("update profile set hidden = 1 where id = ?", hidden.id);
    const inEmber = (await uploadPicture(await createMember(worker))).id;
    const inHarbor = (await uploadPicture(home)).id;
    const inAll = (await uploadPicture(shared)).id;
    const all = [...secret.map(({ id }) => id), ...unseen, inEmber, inHarbor, inAll].sort((a, b) => a - b);
    return { secret, inEmber, inHarbor, inAll, all };
  }
  const illegal = {
    kind: "illegal",
    category: "threat",
    role: undefined,
    explanation: "He threatens people whom he met here.",
  };

  it.each<[string, object]>([
    ["illegal content", illegal],
    ["an intimate picture", {}],
  ])("about %s shows each brand's staff only what any member of their brand can see", async (_, draft) => {
    const { secret, inEmber, inHarbor, inAll, all } = await manyPictures();
    await fileConfirmed(worker, visitor, { ...draft, location: addressesOf(all) });
    const expected = {
      ember: [inEmber, inAll],
      harbor: [inHarbor],
      bramble: [],
      network: [inEmber, inHarbor, inAll],
    };
    const notices = await rows<{ id: number }>("select id from notice");
    for (const [name, admin] of Object.entries(admins)) {
      const listed = (await filesOf(admin)).flatMap(({ pictureList }) => pictureList.map(({ pictureId }) => pictureId));
      const looks = notices.flatMap(({ id }) =>
        all.map(async (picture) => ((await look(admin, id, picture)) === 200 ? [picture] : [])),
      );
      const served = (await Promise.all(looks)).flat();
      const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b);
      const wanted = expected[name as keyof typeof expected];
      expect([name, sorted(listed), sorted(served)]).toEqual([name, wanted, wanted]);
    }
    expect(await Promise.all(secret.map(({ status }) => status()))).toEqual([200, 200, 200]);
  });

  it("attaches nothing that only some members see, and the staff who read its numbers cannot add those pictures", async () => {
    const { secret, all } = await manyPictures();
    await fileConfirmed(worker, visitor, { location: addressesOf(all) });
    const attached = await rows<{ audience: string }>(
      "select distinct audience, state from notice_picture h join picture p on p.id = h.picture_id",
    );
    expect(attached).toEqual([{ audience: "public", state: "named" }]);
    const [{ id } = { id: 0 }] = await admins.ember.get<DeskNotice[]>("/api/admin/notices");
    for (const { id: pictureId } of secret) {
      for (const admin of [admins.ember, admins.network])
        expect(await decide(admin, id, "picture", { pictureId })).toBe(404);
    }
    expect(await Promise.all(secret.map(({ status }) => status()))).toEqual([200, 200, 200]);
  });

  it("still attaches a public picture that another notice hides", async () => {
    const picture = (await uploadPicture(await createMember(worker), { bytes: makeScenePng(7) })).id;
    await fileConfirmed(worker, createVisitor(worker), { location: "", picture: smaller(7) });
    await fileConfirmed(worker, createVisitor(worker), { location: addressesOf([picture]) });
    expect(await rows("select state, was_public from notice_picture order by state")).toEqual([
      { state: "hidden", was_public: 1 },
      { state: "named", was_public: 1 },
    ]);
  });

  it("lets staff see no later version of a picture that its owner has made private", async () => {
    const owner = await createMember(worker);
    const { id } = await uploadPicture(owner, { bytes: makeScenePng(8) });
    await fileConfirmed(worker, visitor, { ...illegal, location: addressesOf([id]) });
    const [{ id: notice } = { id: 0 }] = await admins.ember.get<DeskNotice[]>("/api/admin/notices");
    expect(await look(admins.ember, notice, id)).toBe(200);
    expect((await postPicture(owner, makeScenePng(9), { replaceId: id })).status).toBe(201);
    expect(await look(admins.ember, notice, id)).toBe(200);
    await owner.send("PUT", "/api/profile-pics", { profilePicIds: [], profilePicIdsPrivate: [id] });
    expect(await look(admins.ember, notice, id)).toBe(404);
  });
});

describe("a notice with the picture itself", () => {
  it.each(["private", "chat", "once"] as const)(
    "hides a %s picture at once; its owner learns later that staff looked, and why",
    async (audience) => {
      const { owner, id, status } = await shown(audience, 7);
      await fileConfirmed(worker, visitor, { location: "", picture: smaller(7) });
      expect(await status()).toBe(404);
      const [file] = await filesOf(admins.ember);
      expect(file?.pictureList).toMatchObject([{ pictureId: id, state: "hidden", wasPublic: false }]);
      expect(await filesOf(admins.harbor)).toEqual([]);
      expect(await look(admins.harbor, file!.id, id)).toBe(404);
      expect([await look(admins.ember, file!.id, id), await look(admins.ember, file!.id, id)]).toEqual([200, 200]);
      const views = await rows<object>(
        `select p.actor_id, p.subject_id from audit_entry e join audit_private p on p.seq = e.seq
         where e.action = 'staff.evidence_viewed'`,
      );
      const view = { actor_id: admins.ember.id, subject_id: owner.id };
      expect(views).toEqual([view, view]);

      const told = async () => {
        await worker.runCron(HOURLY);
        const notifications = await owner.get<{ bodyText: string }[]>(`/api/notifications/${owner.id}`);
        return notifications.filter(({ bodyText }) => /Our staff looked/.test(bodyText)).length;
      };
      const mine = () => owner.get<OwnNotice[]>("/api/notices/mine");
      expect([await told(), await mine()]).toMatchObject([0, [{ state: "hidden", tsViewed: null }]]);
      expect(await decide(admins.ember, file!.id, "reject", { reason: "It shows the owner alone." })).toBe(200);
      expect(await told()).toBe(1);
      expect(await mine()).toMatchObject([
        { state: "cleared", reason: "It shows the owner alone.", tsViewed: expect.any(String) },
      ]);
      expect(await told()).toBe(1);
      expect(await status()).toBe(200);
    },
  );

  const illegal = {
    kind: "illegal",
    category: "threat",
    role: undefined,
    explanation: "It threatens me with a knife.",
  };

  it("tells the owner of a picture that was never hidden too, in their language, and tells nobody without a look", async () => {
    const { owner, id } = await shown("chat", 7);
    const other = await shown("chat", 8);
    for (const seed of [7, 8]) {
      await fileConfirmed(worker, createVisitor(worker), { ...illegal, location: "A chat", picture: smaller(seed) });
    }
    for (const file of await filesOf(admins.ember)) {
      expect(file.pictureList).toMatchObject([{ state: "named", wasPublic: false }]);
      if (file.pictureList[0]?.pictureId === id) expect(await look(admins.ember, file.id, id)).toBe(200);
      expect(await decide(admins.ember, file.id, "reject", { reason: "It is a kitchen." })).toBe(200);
    }
    await worker.runCron(HOURLY);
    const notifications = await owner.get<{ bodyText: string }[]>(`/api/notifications/${owner.id}?locale=es`);
    expect(notifications.filter(({ bodyText }) => /Nuestro equipo ha mirado/.test(bodyText))).toHaveLength(1);
    expect(await owner.get("/api/notices/mine")).toMatchObject([
      { state: "viewed", reason: "It is a kitchen.", pictureIds: [id], counter: { allowed: false } },
    ]);
    expect(await other.owner.get("/api/notices/mine")).toEqual([]);
    expect(await statusOf(other.friend, other.id)).toBe(200);
  });

  it("that nobody decides keeps a look secret for a month", { tags: "slow" }, async () => {
    const { owner, id } = await shown("chat", 7);
    await fileConfirmed(worker, visitor, { ...illegal, location: "A chat", picture: smaller(7) });
    const [file] = await filesOf(admins.ember);
    expect(await look(admins.ember, file!.id, id)).toBe(200);
    // Sessions have ended by then.
    const mine = async () => (await logIn(worker, owner.id)).get("/api/notices/mine");
    await worker.runCron(HOURLY, Date.now() + NOTICE_VIEW_TOLD_MS - HOUR_MS);
    expect(await mine()).toEqual([]);
    await worker.runCron(HOURLY, Date.now() + NOTICE_VIEW_TOLD_MS + HOUR_MS);
    expect(await mine()).toMatchObject([{ state: "viewed", tsDecided: null }]);
  });

  it("that staff turn into a case tells the owner once the case is decided, and copies no profile that nobody sees", async () => {
    const { owner, id } = await shown("private", 7);
    await rows("update profile set hidden = 1 where id = ?", owner.id);
    await fileConfirmed(worker, visitor, { ...illegal, location: "A chat", picture: smaller(7) });
    const [file] = await filesOf(admins.ember);
    const draft = { subjectProfileId: owner.id, rule: "threat", text: "A knife." };
    expect(await decide(admins.ember, file!.id, "forward", draft)).toBe(200);
    const [frozen] = await rows<{ id: number; report_id: number }>(
      "select id, report_id from evidence where kind = 'picture' and source_id = ? and r2_key is not null",
      id,
    );
    expect((await admins.ember.fetch(`/api/evidence/${frozen!.id}`)).status).toBe(200);
    expect(await rows("select id from evidence where kind = 'profile'")).toEqual([]);
    await worker.runCron(HOURLY);
    expect(await owner.get("/api/notices/mine")).toEqual([]);
    const dismissal = { reason: "Nothing there" };
    const path = `/api/admin/report/${frozen!.report_id}/dismiss`;
    expect((await admins.ember.send("POST", path, dismissal)).status).toBe(200);
    await worker.runCron(HOURLY);
    expect(await owner.get("/api/notices/mine")).toMatchObject([{ state: "viewed", pictureIds: [id] }]);
  });
});

describe("a notice about pictures of two brands", () => {
  async function twoBrands() {
    const owners = { ember: await createMember(worker), harbor: await createMember(worker, { brand: "harbor" }) };
    const ember = (await uploadPicture(owners.ember, { bytes: makeScenePng(7) })).id;
    const harbor = (await uploadPicture(owners.harbor, { bytes: makeScenePng(7) })).id;
    const receipt = await fileConfirmed(worker, visitor, {
      email: "two@example.test",
      location: "",
      picture: smaller(7),
    });
    const [[inEmber], [inHarbor]] = [await filesOf(admins.ember), await filesOf(admins.harbor)];
    return { owners, ember, harbor, receipt, inEmber: inEmber!, inHarbor: inHarbor! };
  }

  it("is decided by each brand's staff for its own pictures, by the same deadline, and each decision is mailed", async () => {
    const { owners, receipt, ember, harbor, inEmber, inHarbor } = await twoBrands();
    expect([inEmber.pictureList, inHarbor.pictureList]).toMatchObject([
      [{ pictureId: ember }],
      [{ pictureId: harbor }],
    ]);
    expect(inHarbor).toMatchObject({ tsDue: inEmber.tsDue, confirmed: true, email: "two@example.test" });
    expect(inHarbor.ref).toMatch(new RegExp(`^${receipt.ref}-\\d$`));
    const reason = { reason: "It shows somebody who did not agree." };
    for (const step of ["remove", "reject"]) expect(await decide(admins.harbor, inEmber.id, step, reason)).toBe(404);
    expect(await decide(admins.harbor, inHarbor.id, "remove", reason)).toBe(200);
    expect(await openReceipt(visitor, receipt)).toMatchObject({ state: "open" });
    expect(await decide(admins.ember, inEmber.id, "reject", { reason: "It is a drawing." })).toBe(200);
    expect(await openReceipt(visitor, receipt)).toMatchObject({ state: "rejected" });
    await waitFor(async () => expect(await listMails(worker, "two@example.test")).toHaveLength(3));
    const links = (await listMails(worker, "two@example.test")).map(({ text }) => parseReceiptLink(text));
    const decided = await openReceipt(visitor, links.find(({ ref }) => ref === inHarbor.ref)!);
    expect(decided).toMatchObject({ state: "removed", ref: inHarbor.ref });
    expect(await owners.harbor.get("/api/notices/mine")).toMatchObject([{ state: "removed", pictureIds: [harbor] }]);
    expect(await owners.ember.get("/api/notices/mine")).toMatchObject([{ state: "cleared", pictureIds: [ember] }]);
    const figures = (admin: TestMember) => admin.get<NoticeFigures[]>("/api/transparency/notices");
    expect(await figures(admins.ember)).toMatchObject([{ received: 1, removed: 0, rejected: 1 }]);
    expect(await figures(admins.harbor)).toMatchObject([{ received: 1, removed: 1, rejected: 0 }]);
  });

  it("stays apart when network staff add a picture of the other brand", { tags: "slow" }, async () => {
    const { owners, inEmber, inHarbor } = await twoBrands();
    const { id: more } = await uploadPicture(owners.harbor);
    expect(await decide(admins.ember, inEmber.id, "picture", { pictureId: more })).toBe(404);
    expect(await decide(admins.network, inEmber.id, "picture", { pictureId: more })).toBe(200);
    const idsOf = async (admin: TestMember) =>
      (await filesOf(admin)).flatMap(({ pictureList }) => pictureList.map(({ pictureId }) => pictureId));
    expect(await idsOf(admins.ember)).not.toContain(more);
    expect(await idsOf(admins.harbor)).toContain(more);
    expect([await look(admins.ember, inEmber.id, more), await look(admins.harbor, inHarbor.id, more)]).toEqual([
      404, 200,
    ]);
    expect(await decide(admins.harbor, inHarbor.id, "reject", { reason: "It is a drawing." })).toBe(200);
    const { id: late } = await uploadPicture(owners.harbor);
    expect(await decide(admins.network, inEmber.id, "picture", { pictureId: late })).toBe(409);
  });
});
