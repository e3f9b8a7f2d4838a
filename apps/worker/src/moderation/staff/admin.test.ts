import { ALL_BRANDS_MASK } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, type TestMember } from "@lambda/testing/member";
import { fileNotice } from "@lambda/testing/notices";
import { uploadPicture } from "@lambda/testing/pictures";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../platform/hash.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

interface Call {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: (subject: number, report: number, action: number, contact: number) => string;
  readonly body?: (subject: number) => unknown;
}

const HOLD_REASON = { reason: "The police asks for it" };

/** Every admin call. The last test fails if one is missing here. */
const CALLS: Record<string, Call> = {
  userRoleCounts: { method: "GET", path: () => "/api/admin/dashboard/userRoleCounts" },
  siteHealth: { method: "GET", path: () => "/api/admin/dashboard/siteHealth?range=month" },
  explicitShare: { method: "GET", path: () => "/api/admin/dashboard/explicitShare" },
  testUsersCreate: { method: "POST", path: () => "/api/admin/testUsersCreate/2" },
  queue: { method: "GET", path: () => "/api/admin/reports" },
  case: { method: "GET", path: (_, report) => `/api/admin/report/${report}` },
  act: {
    method: "POST",
    path: () => "/api/admin/action",
    body: (subject) => ({ subjectProfileId: subject, kind: "warn", rule: "spam", reason: "Too much of it" }),
  },
  lift: { method: "POST", path: (_, __, action) => `/api/admin/action/${action}/lift` },
  dismiss: {
    method: "POST",
    path: (_, report) => `/api/admin/report/${report}/dismiss`,
    body: () => ({ reason: "Nothing there" }),
  },
  decideAppeal: {
    method: "POST",
    path: (_, report) => `/api/admin/report/${report}/appeal`,
    body: () => ({ reversed: false }),
  },
  members: { method: "GET", path: (subject) => `/api/admin/members?text=${subject}` },
  member: { method: "GET", path: (subject) => `/api/admin/member/${subject}` },
  contact: { method: "GET", path: () => "/api/admin/contact-messages" },
  closeContact: { method: "POST", path: (_, __, ___, contact) => `/api/admin/contact-message/${contact}/done` },
  audit: { method: "GET", path: () => "/api/admin/audit" },
  notices: { method: "GET", path: () => "/api/admin/notices" },
  noticeCounts: { method: "GET", path: () => "/api/admin/notice-counts" },
  notice: { method: "GET", path: () => "/api/admin/notice/1" },
  removePictures: { method: "POST", path: () => "/api/admin/notice/1/remove", body: () => ({ reason: "Seen" }) },
  rejectNotice: { method: "POST", path: () => "/api/admin/notice/1/reject", body: () => ({ reason: "Seen" }) },
  askNotifier: { method: "POST", path: () => "/api/admin/notice/1/ask", body: () => ({ text: "Where?" }) },
  namePicture: { method: "POST", path: () => "/api/admin/notice/1/picture", body: () => ({ pictureId: 1 }) },
  forwardNotice: {
    method: "POST",
    path: () => "/api/admin/notice/1/forward",
    body: (subject) => ({ subjectProfileId: subject, rule: "intimate", text: "Seen" }),
  },
  decideCounter: {
    method: "POST",
    path: () => "/api/admin/notice/1/counter",
    body: (subject) => ({ subjectProfileId: subject, upheld: false, reason: "Seen" }),
  },
  opening: { method: "GET", path: () => "/api/admin/opening" },
  tickOpening: { method: "PUT", path: () => "/api/admin/opening/1", body: () => ({ done: true }) },
  inviteToOpening: {
    method: "POST",
    path: () => "/api/admin/opening/invitation",
    body: () => ({ email: "team@example.test" }),
  },
  openBrand: { method: "POST", path: () => "/api/admin/opening" },
  personChecks: { method: "GET", path: () => "/api/admin/person-checks" },
  decidePersonCheck: {
    method: "POST",
    path: () => "/api/admin/person-check",
    body: (subject) => ({ profileId: subject, answer: "him" }),
  },
  personCheckPicture: { method: "GET", path: () => "/api/admin/person-check/1/1" },
  holds: { method: "GET", path: () => "/api/admin/holds" },
  hold: { method: "POST", path: (_, report) => `/api/admin/report/${report}/hold`, body: () => HOLD_REASON },
  extendHold: { method: "POST", path: () => "/api/admin/hold/1/extend", body: () => HOLD_REASON },
  askForHold: { method: "POST", path: () => "/api/admin/hold/1/request", body: () => HOLD_REASON },
  agreeToHold: { method: "POST", path: () => "/api/admin/hold-request/1/agree" },
  refuseHold: { method: "POST", path: () => "/api/admin/hold-request/1/refuse" },
  readHold: { method: "POST", path: () => "/api/admin/hold/1/content" },
  heldPicture: { method: "GET", path: () => "/api/admin/hold/1/picture/1" },
  tipDraft: { method: "GET", path: (_, report) => `/api/admin/report/${report}/tip` },
  tipFile: {
    method: "POST",
    path: (_, report) => `/api/admin/report/${report}/tip-file`,
    body: () => ({
      incidentType: "Child Sex Trafficking",
      incidentDateTime: "2026-11-20T10:00:00Z",
      filesViewed: false,
      reporterFirstName: "A",
      reporterLastName: "B",
      reporterEmail: "a@example.test",
      additionalInfo: "",
    }),
  },
  noteTip: { method: "POST", path: (_, report) => `/api/admin/report/${report}/tip`, body: () => ({ tipNumber: "1" }) },
};

/**
 * The paths above have malformed hold references, which are rejected before any lookup; holds.test.ts uses real ones.
 */
const NO_HOLD: Record<string, number> = {
  extendHold: 400,
  askForHold: 400,
  agreeToHold: 400,
  refuseHold: 400,
  readHold: 400,
  heldPicture: 404,
};

/** This brand is open, the path above names no step, and no check waits for staff. */
const NOTHING_WAITS: Record<string, number> = {
  tickOpening: 400,
  inviteToOpening: 409,
  openBrand: 409,
  decidePersonCheck: 404,
  personCheckPicture: 404,
};

/** These calls answer 404 because no notice was filed. */
const NO_NOTICE: Record<string, number> = Object.fromEntries(
  Object.entries(CALLS)
    .filter(([, call]) => call.path(1, 1, 1, 1).startsWith("/api/admin/notice/"))
    .map(([name]) => [name, 404]),
);

async function scene() {
  const subject = await createMember(worker, { created: Date.now() - 5 * DAY_MS, name: "Subject" });
  const reporter = await createMember(worker);
  await reporter.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat", text: "See above" });
  const { DB } = worker.env;
  const report = await DB.prepare("select id from report").first<{ id: number }>();
  const action = await DB.prepare(
    "insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created) values (?, 'x', 'ember', 'warn', 'spam', 'r', 0, 1) returning id",
  )
    .bind(subject.id)
    .first<{ id: number }>();
  const contact = await DB.prepare(
    "insert into contact_message (kind, brand, name, message, ts_created) values ('contact', 'ember', 'N', 'M', 1) returning id",
  ).first<{ id: number }>();
  return { subject, reporter, report: report!.id, action: action!.id, contact: contact!.id };
}

function ask(call: Call, by: Pick<TestMember, "fetch" | "send">, at: Awaited<ReturnType<typeof scene>>) {
  const path = call.path(at.subject.id, at.report, at.action, at.contact);
  return call.method === "GET" ? by.fetch(path) : by.send(call.method, path, call.body?.(at.subject.id));
}

describe("admin calls", () => {
  it("reject visitors, members, suspended admins and admins of other brands", async () => {
    const at = await scene();
    const member = await createMember(worker);
    const suspended = await createMember(worker, { adminBrand: "ember", status: "suspended" });
    const foreign = await createMember(worker, { adminBrand: "harbor" });
    for (const [name, call] of Object.entries(CALLS)) {
      const statuses = [
        (await ask(call, createVisitor(worker), at)).status,
        (await ask(call, member, at)).status,
        (await ask(call, suspended, at)).status,
        (await ask(call, foreign, at)).status,
      ];
      expect([name, ...statuses]).toEqual([name, 401, 403, 403, 403]);
    }
  });

  it("hide cases, members and actions of other brands from a brand's admin", async () => {
    const at = await scene();
    const sister = await createMember(worker, { brand: "harbor", adminBrand: "harbor" });
    const expected: Record<string, number> = {
      case: 404,
      act: 404,
      lift: 404,
      dismiss: 404,
      decideAppeal: 404,
      member: 404,
      closeContact: 404,
      ...NO_NOTICE,
      ...NO_HOLD,
      ...NOTHING_WAITS,
      hold: 404,
      tipDraft: 404,
      tipFile: 404,
      noteTip: 404,
    };
    for (const [name, call] of Object.entries(CALLS)) {
      const response = await ask(call, sister, at);
      expect([name, response.status]).toEqual([name, expected[name] ?? (call.method === "POST" ? 201 : 200)]);
      if (["queue", "members", "contact"].includes(name)) expect(await response.json()).toEqual([]);
    }
  });

  it("serve the brand's admin and the network's admin", async () => {
    for (const adminBrand of ["ember", "*"] as const) {
      worker = await startWorker();
      const at = await scene();
      const admin = await createMember(worker, { adminBrand });
      for (const [name, call] of Object.entries(CALLS)) {
        const response = await ask(call, admin, at);
        const missing =
          name === "decideAppeal" || name in NO_NOTICE || name.startsWith("tip")
            ? 404
            : { ...NO_HOLD, ...NOTHING_WAITS }[name];
        const fine = missing ?? (response.status < 300 ? response.status : 200);
        expect([adminBrand, name, response.status]).toEqual([adminBrand, name, fine]);
      }
    }
  });

  it("let a sister brand's admin warn a shared member, but only the home brand or the network suspend them", async () => {
    const shared = await createMember(worker, { brand: "harbor", sharedOn: ALL_BRANDS_MASK });
    const ember = await createMember(worker, { adminBrand: "ember" });
    const network = await createMember(worker, { adminBrand: "*" });
    const act = (by: TestMember, kind: string, id = shared.id) =>
      by.send("POST", "/api/admin/action", { subjectProfileId: id, kind, rule: "spam", reason: "Spam", days: 3 });
    expect((await act(ember, "warn")).status).toBe(201);
    expect((await act(ember, "suspend")).status).toBe(403);
    expect((await act(ember, "ban", network.id)).status).toBe(403);
    expect((await act(ember, "warn", ember.id)).status).toBe(403);
    expect((await act(network, "suspend")).status).toBe(201);
    expect((await shared.fetch("/api/profiles/mine")).status).toBe(403);
  });

  it("tell an admin nothing of a case or notice about themselves, above all not by whom, and do not let them end it", async () => {
    const [admin, colleague] = [
      await createMember(worker, { adminBrand: "ember" }),
      await createMember(worker, { adminBrand: "ember" }),
    ];
    const network = await createMember(worker, { adminBrand: "*" });
    const reporter = await createMember(worker);
    const { id: picture } = await uploadPicture(admin);
    const hidden = await uploadPicture(admin, { audience: "private" });
    await createJuryPool(worker.run);
    const draft = { subjectProfileId: admin.id, category: "harassment", text: "He said so at my door." };
    expect((await reporter.send("POST", "/api/report", draft)).status).toBe(201);
    const [{ id }] = await network.get<[{ id: number }]>("/api/admin/reports?view=jury");
    const hold = { reason: "The police asks for it, file 17" };
    expect((await network.send("POST", `/api/admin/report/${id}/hold`, hold)).status).toBe(200);
    const visitor = createVisitor(worker);
    await fileConfirmed(worker, visitor, { location: `/profile-pic/${picture}` });
    const [{ id: notice }] = await network.get<[{ id: number }]>("/api/admin/notices");
    // Without any picture that could be attached: the profile by itself, nothing confirmed yet, and a picture that is not public.
    const text = "He threatens people whom he met here, by name.";
    const illegal = { kind: "illegal", category: "threat", role: undefined, explanation: text };
    await fileConfirmed(worker, visitor, {
      ...illegal,
      location: `see https://ember.example/Profile/${admin.id}, please`,
    });
    expect((await fileNotice(visitor, { location: `/api/profile?profileId=${admin.id}` })).status).toBe(201);
    await fileConfirmed(worker, visitor, { ...illegal, location: `/profile/pic/nsfw/${hidden.id}` });
    await network.get(`/api/admin/member/${admin.id}`);
    const seenBy = async (by: TestMember) => ({
      cases: (await by.get<unknown[]>("/api/admin/reports?view=jury")).length,
      notices: (await by.get<unknown[]>("/api/admin/notices")).length,
      open: (await by.get<{ open: number }>("/api/admin/notice-counts")).open,
      files: (await by.get<{ reportIds: number[] }>(`/api/admin/member/${admin.id}`)).reportIds.length,
      // All lines of this log are about the admin, also those that name no subject: seats, holds, notices.
      isLogged: (await by.get<unknown[]>("/api/admin/audit")).length > 0,
    });
    expect(await seenBy(colleague)).toEqual({ cases: 1, notices: 4, open: 4, files: 1, isLogged: true });
    expect(await seenBy(admin)).toEqual({ cases: 0, notices: 0, open: 0, files: 0, isLogged: false });
    // Another profile's number that begins or ends like it is not theirs.
    await fileConfirmed(worker, visitor, { ...illegal, location: `/profile/${admin.id}0 and /profile/7${admin.id}` });
    expect((await seenBy(admin)).notices).toBe(1);
    for (const path of [`report/${id}`, `notice/${notice}`])
      expect([path, (await admin.fetch(`/api/admin/${path}`)).status]).toEqual([path, 404]);
    expect((await admin.fetch(`/api/notice-picture/${notice}/${picture}`)).status).toBe(404);
    const dismiss = (by: TestMember) =>
      by.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Nothing in it, as I know." });
    expect([await dismiss(admin), await dismiss(colleague)].map(({ status }) => status)).toEqual([404, 403]);
    expect((await dismiss(network)).status).toBe(200);
  });

  it("decide about a member and a case of a brand that was removed", async () => {
    const [member, network] = [
      await createMember(worker, { sharedOn: ALL_BRANDS_MASK }),
      await createMember(worker, { adminBrand: "*" }),
    ];
    const harbor = await (await createMember(worker, { sharedOn: ALL_BRANDS_MASK })).onBrand("harbor");
    const report = { subjectProfileId: member.id, category: "threat", text: "He threatens me." };
    await worker.run({ query: "update account set home_brand = 'gone' where id = ?", values: [member.id] });
    expect((await harbor.send("POST", "/api/report", report)).status).toBe(201);
    await worker.run({ query: "update report set brand = 'gone'" });
    const [{ id }] = await network.get<[{ id: number }]>("/api/admin/reports");
    const dismissal = { reason: "Nothing there at all" };
    expect((await network.send("POST", `/api/admin/report/${id}/dismiss`, dismissal)).status).toBe(200);
    await worker.run({ query: "update profile set shared_on = 0 where id = ?", values: [member.id] });
    const action = { subjectProfileId: member.id, kind: "suspend", rule: "spam", reason: "Spam", days: 3 };
    expect((await network.send("POST", "/api/admin/action", action)).status).toBe(201);
  });

  it("act once when the answer was lost, and again after the action is lifted", async () => {
    const member = await createMember(worker);
    const admin = await createMember(worker, { adminBrand: "ember" });
    const act = async (reason = "Spam") => {
      const draft = { subjectProfileId: member.id, kind: "suspend", rule: "spam", reason, days: 3 };
      const response = await admin.send("POST", "/api/admin/action", draft);
      expect(response.status).toBe(201);
      return ((await response.json()) as { id: number }).id;
    };
    const first = await act();
    expect(await act()).toBe(first);
    expect(await act("More spam")).not.toBe(first);
    expect((await admin.send("POST", `/api/admin/action/${first}/lift`)).status).toBe(200);
    expect(await act()).not.toBe(first);
  });

  it("show a brand's admin only that brand's part of a shared member's file, and log lookups by address", async () => {
    const own = await createMember(worker, { sharedOn: ALL_BRANDS_MASK });
    const shared = await createMember(worker, { brand: "harbor", sharedOn: ALL_BRANDS_MASK });
    const admin = await createMember(worker, { adminBrand: "ember" });
    const harbor = await createMember(worker, { brand: "harbor", adminBrand: "harbor" });
    const network = await createMember(worker, { adminBrand: "*" });
    for (const by of [admin, harbor]) {
      await by.send("POST", "/api/admin/action", {
        subjectProfileId: shared.id,
        kind: "warn",
        rule: "spam",
        reason: `Too much on ${by.brand}`,
      });
    }
    const find = (by: TestMember, text: string | number) =>
      by.get<Record<string, unknown>[]>(`/api/admin/members?text=${encodeURIComponent(text)}`);
    const viewCount = async () =>
      await worker.env.DB.prepare("select count(*) n from audit_entry where action = 'staff.member_viewed'").first("n");

    expect(await find(admin, shared.email)).toEqual([]);
    expect(await find(admin, shared.id)).toMatchObject([{ id: shared.id }]);
    expect(JSON.stringify(await find(admin, own.id))).not.toMatch(/example\.test|Real|tsSeen/);
    expect(await viewCount()).toBe(0);
    expect(await find(admin, own.email)).toMatchObject([{ id: own.id }]);
    await worker.env.DB.prepare("update account set mailbox = email where id = ?").bind(shared.id).run();
    for (const spelling of [shared.email, ` <${shared.email.toUpperCase().replace("@", "+tag@")}> `])
      expect(await find(network, spelling)).toMatchObject([{ id: shared.id }]);
    expect(await viewCount()).toBe(3);

    const file = (by: TestMember) =>
      by.get<{ email: string; actions: { reason: string }[]; reportIds: number[] }>(`/api/admin/member/${shared.id}`);
    const seen = await file(admin);
    expect(seen).toMatchObject({ email: "", realName: "", actions: [{ reason: "Too much on ember" }] });
    expect([seen.actions.length, seen.reportIds.length]).toEqual([1, 1]);
    const all = await file(network);
    expect([all.email, all.actions.length, all.reportIds.length]).toEqual([shared.email, 2, 2]);
    expect(await viewCount()).toBe(5);
  });

  it("end a suspension on time", async () => {
    const member = await createMember(worker);
    const other = await createMember(worker);
    const admin = await createMember(worker, { adminBrand: "ember" });
    await admin.send("POST", "/api/admin/action", {
      subjectProfileId: member.id,
      kind: "suspend",
      rule: "harassment",
      reason: "Three days to think",
      days: 3,
    });
    expect((await other.fetch(`/api/profile/${member.id}`)).status).toBe(404);
    const standing = await member.get<{ actions: { appeal: { allowed: boolean } }[] }>("/api/standing");
    expect(standing.actions[0]?.appeal.allowed).toBe(true);
    await worker.runCron("* * * * *", Date.now() + 3 * DAY_MS + 1000);
    expect((await other.fetch(`/api/profile/${member.id}`)).status).toBe(200);
    const row = await worker.env.DB.prepare("select lifted_by from moderation_action").first();
    expect(row).toEqual({ lifted_by: "time" });
    const served = await member.get<{ actions: { reportId: number; appeal: { allowed: boolean } }[] }>("/api/standing");
    const appeal = { text: "I did nothing of the kind, please look again." };
    const filed = await member.send("POST", `/api/report/${served.actions[0]?.reportId}/appeal`, appeal);
    expect([served.actions[0]?.appeal.allowed, filed.status]).toEqual([true, 201]);
  });

  it("create test members, whom the role counts include at once", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    await createMember(worker, { brand: "harbor" });
    const response = await admin.send("POST", "/api/admin/testUsersCreate/200");
    expect(response.status).toBe(201);
    const counts = await admin.fetch("/api/admin/dashboard/userRoleCounts");
    expect(await counts.json()).toEqual([
      { role: "USER", count: 201 },
      { role: "ADMIN", count: 1 },
    ]);
    expect(Number(counts.headers.get("x-d1-rows-read"))).toBeLessThanOrEqual(20);
    expect(Number(counts.headers.get("x-d1-trips"))).toBeLessThanOrEqual(2);
    const near = await worker.env.DB.prepare("select count(*) n from presence where brand = 1").first<{ n: number }>();
    expect(near?.n).toBe(200);
  });

  it("chain every audit log entry to the previous one, and let nobody change one", async () => {
    const at = await scene();
    const admin = await createMember(worker, { adminBrand: "ember" });
    await ask(CALLS.act!, admin, at);
    await ask(CALLS.dismiss!, admin, at);
    const chain =
      await at.subject.get<{ seq: number; body: string; previousHash: string; hash: string }[]>(
        "/api/transparency/chain",
      );
    expect(chain.length).toBeGreaterThanOrEqual(3);
    let previous = "0".repeat(64);
    for (const [index, entry] of chain.entries()) {
      expect(entry.seq).toBe(index + 1);
      expect(entry.previousHash).toBe(previous);
      expect(entry.hash).toBe(await sha256(`${previous}\n${entry.body}`));
      expect(entry.body).not.toContain("Subject");
      const { ts, details } = JSON.parse(entry.body) as { ts: string; details: { waitedMs?: number } };
      expect(ts, "rounded to the hour").toMatch(/T\d\d:00:00\.000Z$/);
      expect((details.waitedMs ?? 0) % 3_600_000).toBe(0);
      previous = entry.hash;
    }
    const { DB } = worker.env;
    await expect(DB.prepare("update audit_entry set action = 'x' where seq = 1").run()).rejects.toThrow(/append-only/);
    await expect(DB.prepare("delete from audit_entry where seq = 1").run()).rejects.toThrow(/append-only/);
    await DB.prepare("delete from account where id = ?").bind(at.subject.id).run();
    const left = await DB.prepare("select count(*) n from audit_entry").first();
    expect(left).toEqual({ n: chain.length });
    expect(await DB.prepare("select count(*) n from audit_private where subject_id is not null").first()).toEqual({
      n: 0,
    });
  });

  it("are all listed in CALLS", async () => {
    const document = (await (await createVisitor(worker).fetch("/api/openapi.json")).json()) as { paths: object };
    const paths = Object.keys(document.paths).filter((path) => path.includes("/admin/"));
    const listed = Object.values(CALLS).map((call) => call.path(1, 1, 1, 1).split("?")[0]);
    const pattern = (path: string) => path.replace(/\{\w+\}/g, "1").replace("testUsersCreate/1", "testUsersCreate/2");
    expect(paths.map((path) => pattern(path.startsWith("/api") ? path : `/api${path}`)).sort()).toEqual(
      [...new Set(listed)].sort(),
    );
  });
});
