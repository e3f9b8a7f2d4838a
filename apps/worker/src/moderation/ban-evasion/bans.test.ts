/** The marks that a ban leaves: whom they affect, whom the site tells, and when they expire. */
import { BAN_EVASION_WINDOW_MS } from "@lambda/contract/limits";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { openBanEvasionCases } from "./open-cases.ts";

const EVERY_MINUTE = "* * * * *";
const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
let admin: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember", hidden: true });
});

const all = async <Row>(sql: string, ...values: unknown[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;
const marks = () => all<{ kind: string; mark: string }>("select kind, mark from ban_mark order by id");

async function ban(member: TestMember): Promise<number> {
  const response = await admin.send("POST", "/api/admin/action", {
    subjectProfileId: member.id,
    kind: "ban",
    rule: "scam",
    reason: "Asked three members for money",
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

async function register(email: string, brand: "ember" | "harbor" = "ember") {
  const visitor = createVisitor(worker, brand);
  const { length: known } = await listMails(worker, email);
  const response = await visitor.send("POST", "/api/auth/register", {
    email,
    acknowledgements: "cookies; adult; geolocation",
  });
  const headers = [...response.headers.keys()].sort();
  const { ticket } = (await response.json()) as { ticket: string };
  return {
    status: response.status,
    headers,
    ticketLength: ticket.length,
    mail: await waitForMail(worker, email, known),
    visitor,
  };
}

/** Logs in with the link from the mail and the cookies of a device; returns the device's new cookie. */
async function logInByMail(email: string, device = ""): Promise<string> {
  const { mail, visitor } = await register(email);
  const token = /token=([\w-]+)/.exec(mail.text)?.[1];
  const response = await visitor.fetch("/api/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json", cookie: device },
    body: JSON.stringify({ token, confirmed: true }),
  });
  expect(response.status).toBe(200);
  return /plain_used=[^;]*/.exec(response.headers.get("set-cookie") ?? "")![0];
}

const accountOf = async (email: string) =>
  (await all<{ id: number }>("select id from account where email = ?", email))[0]?.id;

describe("a ban", () => {
  it("blocks every spelling of the address, and says so only in mail to that address", async () => {
    const member = await createMember(worker, { email: "bad.man@gmail.com" });
    await ban(member);
    await all("delete from account where id = ?", member.id);
    expect((await marks()).map(({ kind }) => kind)).toEqual(["address", "device"]);
    expect(JSON.stringify(await all("select * from ban_mark"))).not.toMatch(/gmail|badman|bad\.man/);

    const usual = await register("somebody@example.test");
    for (const [email, brand] of [
      ["bad.man@gmail.com", "ember"],
      ["badman+again@googlemail.com", "harbor"],
    ] as const) {
      const tried = await register(email, brand);
      expect([tried.status, tried.headers, tried.ticketLength]).toEqual([
        usual.status,
        usual.headers,
        usual.ticketLength,
      ]);
      expect(tried.mail.text).toContain("closed for breaking the rules");
      const appeal = /http\S+/.exec(tried.mail.text)?.[0] ?? "";
      expect(new URL(appeal).pathname).toBe("/support");
      expect((await worker.fetch(appeal)).status).toBe(200);
      expect(tried.mail.text).not.toContain("token=");
      expect(await accountOf(email)).toBeUndefined();
    }
    expect(await all("select 1 from login_code where email like '%gmail%' or email like '%googlemail%'")).toEqual([]);
  });

  it("blocks a login link for another spelling of the address that was requested before it", async () => {
    const member = await createMember(worker, { email: "worse.man@gmail.com" });
    const { mail, visitor } = await register("worseman@gmail.com");
    await ban(member);
    const token = /token=([\w-]+)/.exec(mail.text)?.[1];
    const response = await visitor.send("POST", "/api/auth/token", { token, confirmed: true });
    expect(await response.json()).toMatchObject({ error: { code: "LINK_EXPIRED" } });
    expect(await accountOf("worseman@gmail.com")).toBeUndefined();
  });

  it("lets the banned member log in to read why and to appeal, as long as the account exists", async () => {
    const member = await createMember(worker, { email: "banned@example.test" });
    await ban(member);
    // The first mail is the statement of reasons; the next one has the login link.
    await waitForMail(worker, "banned@example.test");
    expect((await register("banned@example.test")).mail.text).toContain("token=");
  });

  it("mails the reason when another account tries to change to the banned address", async () => {
    const member = await createMember(worker, { email: "gone@example.test" });
    await ban(member);
    await all("delete from account where id = ?", member.id);
    const other = await createMember(worker, { freshProof: true });
    const { length: known } = await listMails(worker, "gone@example.test");
    const response = await other.send("PUT", "/api/settings", { email: "gone@example.test" });
    expect(response.status).toBeLessThan(300);
    expect((await waitForMail(worker, "gone@example.test", known)).text).toContain("closed for breaking the rules");
  });

  it("is forgotten by the device at logout only if the account may still be used", async () => {
    const device = await logInByMail("flatmate@example.test", await logInByMail("first@example.test"));
    const logOut = async (email: string, cookie: string) => {
      const subject = await logIn(worker, (await accountOf(email))!);
      const response = await subject.withCookie(cookie).send("POST", "/api/auth/logout");
      return response.headers.getSetCookie().find((each) => each.startsWith("plain_used"));
    };
    const [, marks = ""] = device.split("=");
    const [flatmate, first] = marks.split(".");
    await ban(await logIn(worker, (await accountOf("first@example.test"))!));
    expect(await logOut("first@example.test", device)).toBeUndefined();
    expect(await logOut("flatmate@example.test", device)).toMatch(
      new RegExp(`^plain_used=${first}; Max-Age=15552000;`),
    );
    expect(await logOut("flatmate@example.test", `plain_used=${flatmate}`)).toMatch(/^plain_used=; Max-Age=0;/);
  });

  it("opens a staff case about a new account on the same device, and does nothing else to it", async () => {
    const device = await logInByMail("first@example.test");
    const subject = await logIn(worker, (await accountOf("first@example.test"))!);
    await all("update profile set profile_name = 'First', birthdate = '1990-01-01' where id = ?", subject.id);
    // An account that used the device before the ban is not matched; the device's cookie lists both accounts.
    const both = await logInByMail("flatmate@example.test", device);
    await ban(subject);
    await logInByMail("flatmate@example.test", both);
    await logInByMail("second@example.test", both);
    await logInByMail("elsewhere@example.test", "plain_used=forged.!!.0123456789012345678901234567890123456789012");
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron(EVERY_MINUTE);
    const second = await accountOf("second@example.test");
    expect(await all("select subject_id, category, state, staff_reason from report where state <> 'decided'")).toEqual([
      { subject_id: second, category: "scam", state: "staff", staff_reason: "found" },
    ]);
    expect(await all("select status from profile where id = ?", second)).toEqual([{ status: "active" }]);
    expect(await all("select id from jury")).toEqual([]);
  });

  it("opens a case about a newer account with one of its public pictures, but not about older accounts or other pictures", async () => {
    const [member, older] = [await createMember(worker), await createMember(worker)];
    await uploadPicture(member, { bytes: makeScenePng(1) });
    await uploadPicture(member, { bytes: makeScenePng(2), audience: "private" });
    await ban(member);
    expect((await marks()).map(({ kind }) => kind)).toEqual(["address", "device", "picture"]);
    const [known] = await all<{ hash: string }>("select hash from picture_hash order by picture_id");
    expect(JSON.stringify(await marks())).not.toContain(known!.hash);
    await all("update ban_mark set ts_created = 1000");
    await all("update account set ts_created = 900 where id in (?, ?)", member.id, older.id);
    const [younger, unlike, secret] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await all("update account set ts_created = 2000 where id in (?, ?, ?)", younger.id, unlike.id, secret.id);
    await uploadPicture(older, { bytes: makeScenePng(1) });
    await uploadPicture(younger, { bytes: makeScenePng(1, { brightness: 12 }) });
    await uploadPicture(younger, { bytes: makeScenePng(1) });
    await uploadPicture(unlike, { bytes: makeScenePng(3) });
    await uploadPicture(secret, { bytes: makeScenePng(2) });
    await worker.runCron(EVERY_MINUTE);
    expect(await all("select subject_id, filings from report where state <> 'decided'")).toEqual([
      { subject_id: younger.id, filings: 1 },
    ]);
    expect(await all("select 1 from picture_hash where compared = 0")).toEqual([]);
  });

  it("compares a picture that is replaced while the job compares the one before", async () => {
    const [member, younger] = [await createMember(worker), await createMember(worker)];
    await uploadPicture(member, { bytes: makeScenePng(1) });
    await uploadPicture(member, { bytes: makeScenePng(2) });
    await ban(member);
    await all("update ban_mark set ts_created = 1000");
    await all("update account set ts_created = 900 where id = ?", member.id);
    await all("update account set ts_created = 2000 where id = ?", younger.id);
    await uploadPicture(younger, { bytes: makeScenePng(1) });
    const { hash } = (
      await all<{ hash: string }>("select hash from picture_hash order by picture_id limit 1 offset 1")
    )[0]!;
    await all(`create trigger replaced_meanwhile after insert on ban_match begin
      update picture_hash set hash = '${hash}', compared = 0 where picture_id = new.picture_id; end`);
    await worker.runCron(EVERY_MINUTE);
    await all("drop trigger replaced_meanwhile");
    expect(await all("select hash from picture_hash where compared = 0")).toEqual([{ hash }]);
  });

  it("opens a case for a later match when an earlier one fails", async () => {
    const [broken, other] = [await createMember(worker), await createMember(worker)];
    for (const [{ id }, rule] of [
      [broken, "no such rule"],
      [other, "scam"],
    ] as const) {
      await all(
        "insert into ban_match (profile_id, kind, case_ref, rule, brand, ts_created) values (?, 'device', 'old-case', ?, 'ember', 0)",
        id,
        rule,
      );
    }
    await expect(openBanEvasionCases(worker.env, Date.now())).rejects.toThrow();
    expect(await all("select subject_id, category from report")).toEqual([{ subject_id: other.id, category: "scam" }]);
    expect(await all("select profile_id from ban_match where report_id is null")).toEqual([{ profile_id: broken.id }]);
  });

  it("opens no case for a match that cannot be marked as filed, so that the next run files it once", async () => {
    const { id } = await createMember(worker);
    await all(
      "insert into ban_match (profile_id, kind, case_ref, rule, brand, ts_created) values (?, 'device', 'old-case', 'scam', 'ember', 0)",
      id,
    );
    await all("create trigger broken before update on ban_match begin select raise(abort, 'broken'); end");
    await expect(openBanEvasionCases(worker.env, Date.now())).rejects.toThrow();
    expect(await all("select id from report")).toEqual([]);
    await all("drop trigger broken");
    await openBanEvasionCases(worker.env, Date.now());
    expect(await all("select filings from report")).toEqual([{ filings: 1 }]);
  });

  it("leaves no marks once it is lifted, or after a year", async () => {
    const [member, other] = [await createMember(worker, { email: "back@example.test" }), await createMember(worker)];
    const action = await ban(member);
    await ban(other);
    expect((await admin.send("POST", `/api/admin/action/${action}/lift`)).status).toBe(200);
    expect(await marks()).toHaveLength(2);
    await worker.runCron(NIGHTLY, Date.now() + BAN_EVASION_WINDOW_MS - 60_000);
    expect(await marks()).toHaveLength(2);
    await worker.runCron(NIGHTLY, Date.now() + BAN_EVASION_WINDOW_MS + 1000);
    expect(await marks()).toEqual([]);
  });
});
