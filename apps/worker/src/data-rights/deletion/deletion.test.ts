import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { listTraces } from "@lambda/testing/traces";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

async function run(sql: string, ...values: (string | number | null)[]): Promise<void> {
  await worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
}

function readStatus(member: TestMember) {
  return worker.env.DB.prepare(
    "select p.status, p.listed_on, a.ts_deleted is not null as deleted from profile p join account a using (id) where p.id = ?",
  )
    .bind(member.id)
    .first();
}

/** Tokens already used: the newest mail may still be an earlier one. */
const usedTokens = new Set<string>();

/** Logs in by a link from the register page, as a returning member does. */
async function logInByLink(email: string): Promise<Response> {
  const visitor = createVisitor(worker);
  const start = Date.now();
  await visitor.send("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation" });
  for (;;) {
    const token = /token=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1];
    if (token && !usedTokens.has(token)) {
      usedTokens.add(token);
      return visitor.send("POST", "/api/auth/token", { token, confirmed: true });
    }
    if (Date.now() - start > 20_000) throw new Error("no login link");
  }
}

describe("deleting an account", () => {
  it("requires a fresh proof, then hides the member and logs them out everywhere at once", async () => {
    const unproven = await createMember(worker);
    expect((await unproven.send("POST", "/api/account/deletion", {})).status).toBe(403);
    expect(await readStatus(unproven)).toMatchObject({ status: "active", deleted: 0 });

    const me = await createMember(worker, { freshProof: true });
    const phone = await me.onBrand("ember");
    const onlooker = await createMember(worker);
    expect((await onlooker.fetch(`/api/profile/${me.id}`)).status).toBe(200);
    const response = await me.send("POST", "/api/account/deletion", {});
    expect(response.status).toBe(200);
    const { tsPurge } = (await response.json()) as { tsPurge: string };
    expect(Math.abs(Date.parse(tsPurge) - Date.now() - ACCOUNT_DELETION_GRACE_MS)).toBeLessThan(60_000);
    expect(response.headers.get("set-cookie")).toContain("plain_session=;");
    expect(await readStatus(me)).toEqual({ status: "deleted", listed_on: 0, deleted: 1 });
    expect((await me.fetch("/api/settings")).status).toBe(401);
    expect((await phone.fetch("/api/settings")).status).toBe(401);
    expect((await onlooker.fetch(`/api/profile/${me.id}`)).status).toBe(404);
    expect((await waitForMail(worker, me.email)).subject).toContain("deleted");
  });

  it("is undone by a login link within the grace period", async () => {
    const me = await createMember(worker, { freshProof: true });
    await me.send("POST", "/api/account/deletion", {});
    await waitForMail(worker, me.email);
    expect((await logInByLink(me.email)).status).toBe(200);
    expect(await readStatus(me)).toEqual({ status: "active", listed_on: 1, deleted: 0 });
  });

  it("cannot be undone after the grace period, even before the purge", async () => {
    const me = await createMember(worker, { freshProof: true });
    await me.send("POST", "/api/account/deletion", {});
    await waitForMail(worker, me.email);
    await run("update account set ts_deleted = ? where id = ?", Date.now() - ACCOUNT_DELETION_GRACE_MS, me.id);
    const late = await logInByLink(me.email);
    expect([late.status, await late.json()]).toMatchObject([401, { error: { code: "LINK_EXPIRED" } }]);
    expect(await readStatus(me)).toEqual({ status: "deleted", listed_on: 0, deleted: 1 });
    await worker.runCron(NIGHTLY);
    expect((await logInByLink(me.email)).status).toBe(200);
    const fresh = await worker.env.DB.prepare("select id from account where email = ?").bind(me.email).first("id");
    expect(fresh).not.toBe(me.id);
  });

  it("neither shortens a suspension nor lifts a ban", async () => {
    const until = Date.now() + 86_400_000;
    const suspended = await createMember(worker, { freshProof: true, status: "suspended" });
    await run("update profile set ts_status_until = ? where id = ?", until, suspended.id);
    const banned = await createMember(worker, { freshProof: true, status: "banned" });
    for (const [member, kind] of [
      [suspended, "suspend"],
      [banned, "ban"],
    ] as const) {
      await run(
        `insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created, ts_until)
         values (?, ?, 'ember', ?, 'harassment', 'test', 1, ?, ?)`,
        member.id,
        crypto.randomUUID(),
        kind,
        Date.now(),
        kind === "suspend" ? until : null,
      );
    }
    for (const member of [suspended, banned]) {
      await member.send("POST", "/api/account/deletion", {});
      await waitForMail(worker, member.email);
      expect((await logInByLink(member.email)).status).toBe(200);
    }
    expect(await readStatus(suspended)).toMatchObject({ status: "suspended", deleted: 0 });
    expect(await readStatus(banned)).toMatchObject({ status: "banned", deleted: 0 });
  });
});

describe("the purge", () => {
  it("erases the member from all tables and the bucket, and leaves others untouched", async () => {
    const mark = "purge-marker";
    const me = await createMember(worker, { freshProof: true, name: mark, email: `${mark}@example.test` });
    const friend = await createMember(worker);
    await run("update account set name = ? where id = ?", mark, me.id);
    // If there are message databases, this pair's messages are in one of them.
    const partner = await createMember(worker);
    for (const [from, to] of [
      [me, partner],
      [partner, me],
    ] as const) {
      expect((await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: mark })).status).toBe(201);
    }
    await run(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1100)
       insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
       select ?1, ?2, min(?1, ?2), max(?1, ?2), ?3 || i, ?3, 'ember', i from n`,
      me.id,
      friend.id,
      mark,
    );
    await run("insert into conversation values (?, ?, 1, 0), (?, ?, 1, 1)", me.id, friend.id, friend.id, me.id);
    await run(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', 1), (?, ?, 'LIKE', 1)",
      me.id,
      friend.id,
      friend.id,
      me.id,
    );
    await run(
      "insert into profile_note values (?, ?, ?, '[]', 1), (?, ?, ?, '[]', 1)",
      me.id,
      friend.id,
      mark,
      friend.id,
      me.id,
      mark,
    );
    await run(
      "insert into contact_message (kind, profile_id, brand, name, message, ts_created) values ('contact', ?, 'ember', ?, ?, 1)",
      me.id,
      mark,
      mark,
    );
    await run(
      "insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) values (?, 'match', ?, ?, 'ember', 1)",
      friend.id,
      me.id,
      mark,
    );
    await run(
      "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'public', 1, 1, 1, 1, 1)",
      me.id,
    );
    await run(
      "insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) values (900, ?, 'public', 1, 1, 1, 1, 1)",
      friend.id,
    );
    for (const id of [me.id, friend.id]) {
      await run(
        "insert into age_proof values (?, 'eu-av', 1, ?, cast(? as blob))",
        id,
        id === me.id ? mark : "kept",
        `hash ${id}`,
      );
      // Still valid on the night of the purge, so that no other job deletes it.
      await run(
        `insert into age_request (state_hash, account_id, method, brand, nonce, ts_expires)
         values (cast(? as blob), ?, 'eu-av', 'ember', 'nonce', ?)`,
        `state ${id}`,
        id,
        Date.now() + 2 * ACCOUNT_DELETION_GRACE_MS,
      );
    }
    await run("insert into game_pack (profile_id, game, day, items) values (?, 'rating', 1, '{}')", me.id);
    for (const variant of ["original", "256", "pixelated"]) {
      await worker.env.PICTURES.put(`pictures/${me.id}/1/1/${variant}.webp`, mark);
    }
    await worker.env.PICTURES.put(`pictures/${friend.id}/900/1/original.webp`, "kept");

    await me.send("POST", "/api/account/deletion", {});
    await waitForMail(worker, me.email);
    const purgeDay = Date.now() + ACCOUNT_DELETION_GRACE_MS + 60_000;
    await worker.runCron(NIGHTLY, purgeDay - 86_400_000);
    expect(await readStatus(me), "nothing is erased a day early").toMatchObject({ deleted: 1 });
    await worker.runCron(NIGHTLY, purgeDay);

    expect(await listTraces(worker, me.id, mark)).toEqual([]);
    const { objects } = await worker.env.PICTURES.list({ prefix: "pictures/" });
    expect(objects.map((object) => object.key)).toEqual([`pictures/${friend.id}/900/1/original.webp`]);
    expect(await readStatus(friend)).toEqual({ status: "active", listed_on: 1, deleted: 0 });
    for (const table of ["age_proof", "age_request"]) {
      const { results } = await worker.env.DB.prepare(`select account_id from ${table}`).all();
      expect(results, table).toEqual([{ account_id: friend.id }]);
    }
  });
});
