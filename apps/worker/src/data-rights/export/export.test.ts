import { ExportedData } from "@lambda/contract/exported";
import { createMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { uploadPicture } from "@lambda/testing/pictures";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

async function run(sql: string, ...values: (string | number | null)[]): Promise<void> {
  await worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
}

async function sendMessage(from: number, to: number, text: string): Promise<void> {
  await run(
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
     values (?1, ?2, min(?1, ?2), max(?1, ?2), ?3, ?4, 'ember', ?5)`,
    from,
    to,
    crypto.randomUUID(),
    text,
    Date.now(),
  );
}

describe("export", () => {
  it("contains everything as JSON, a page and the pictures, however many messages there are", async () => {
    const me = await createMember(worker, { name: "Óscar <b>", freshProof: true });
    const friend = await createMember(worker);
    const blocked = await createMember(worker);
    const many = 1203;
    await run(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
       select ?, ?, ?, ?, 'bulk-' || i, 'message number ' || i, 'ember', 1000000 + i from n`,
      many,
      me.id,
      friend.id,
      Math.min(me.id, friend.id),
      Math.max(me.id, friend.id),
    );
    await sendMessage(friend.id, me.id, "and an answer");
    await sendMessage(blocked.id, me.id, "from behind a block");
    await run(
      "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 1, 0, 1)",
      me.id,
      blocked.id,
    );
    await run("insert into profile_note values (?, ?, 'tall, kind', '[\"tea\"]', 1000)", me.id, friend.id);
    await run("insert into profile_note values (?, ?, 'a note about me', '[]', 1000)", friend.id, me.id);
    const picture = await worker.env.DB.prepare(
      "insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, 'private', 8, 10, 3, 1, 1) returning id",
    )
      .bind(me.id)
      .first<{ id: number }>();
    await worker.env.PICTURES.put(`pictures/${me.id}/${picture?.id}/1/original.webp`, new Uint8Array([7, 8, 9]));

    const response = await me.send("POST", "/api/account/export");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="ember-\d{4}-\d\d-\d\d\.zip"$/);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files).sort()).toEqual(["data.json", "index.html", `pictures/${picture?.id}.webp`]);
    expect([...(files[`pictures/${picture?.id}.webp`] ?? [])]).toEqual([7, 8, 9]);

    const text = strFromU8(files["data.json"] ?? new Uint8Array());
    const data = JSON.parse(text);
    expect(data.account).toMatchObject([{ email: me.email }]);
    expect(ExportedData.parse(data)).toMatchObject({
      account: [{ email: me.email, preferences: { phrases: [] } }],
      profile: [{ profileName: "Óscar <b>", picsPublic: [] }],
      pictures: [{ id: picture?.id, audience: "private" }],
    });
    expect(data.messages).toHaveLength(many + 1);
    expect(new Set(data.messages.map((message: { id: number }) => message.id)).size).toBe(many + 1);
    expect(data.messages.at(-1)).toMatchObject({ bodyText: "and an answer", senderId: friend.id });
    expect(data.notes).toMatchObject([{ aboutId: friend.id, bodyText: "tall, kind" }]);
    for (const secret of ["a note about me", "from behind a block", "password_hash", "passwordHash"]) {
      expect(text).not.toContain(secret);
    }
    const page = strFromU8(files["index.html"] ?? new Uint8Array());
    expect(page).toContain("Óscar &lt;b&gt;");
    expect(page).toContain("message number 1203");
  });

  it("contains where others see the member", async () => {
    const me = await createMember(worker, { freshProof: true });
    const at = { session: 1, overrideLat: 33.45, overrideLon: -112.07, use: "OVERRIDE", hide: false };
    expect((await me.send("PUT", `/api/profile-position/${me.id}`, at)).status).toBe(200);
    const files = unzipSync(new Uint8Array(await (await me.send("POST", "/api/account/export")).arrayBuffer()));
    const { position } = JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array()));
    expect(position).toHaveLength(1);
    expect(Object.keys(position[0])).toEqual(
      "use precision cell pendingCell publishedLat publishedLon tsPublished tsEffectiveUntil".split(" "),
    );
    expect(position[0].publishedLat).toBeCloseTo(33.45, 0);
    expect(position[0].publishedLon).toBeCloseTo(-112.07, 0);
  });

  it("reveals no more about members who are not visible now than chat does", async () => {
    const [me, gone, blocked] = [
      await createMember(worker, { freshProof: true }),
      await createMember(worker),
      await createMember(worker),
    ];
    for (const other of [gone, blocked]) {
      await sendMessage(me.id, other.id, "to the other");
      await sendMessage(other.id, me.id, "from the other");
      await run(
        `insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created)
         values (?, 'match', ?, 'A match', ?, 'ember', 1)`,
        me.id,
        other.id,
        `/profile/${other.id}`,
      );
    }
    await run("update message set picture_ids = '[77]', attachment = '{\"lat\":12.5}' where sender_id = ?", gone.id);
    await run("update profile set hidden = 1 where id = ?", gone.id);
    await run(
      "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 0, 1, 1)",
      me.id,
      blocked.id,
    );
    const files = unzipSync(new Uint8Array(await (await me.send("POST", "/api/account/export")).arrayBuffer()));
    const data = JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array()));
    expect(data.messages).toMatchObject([
      { senderId: me.id, recipientId: 0, bodyText: "to the other" },
      { senderId: 0, recipientId: me.id, bodyText: "from the other", pictureIds: "[]", attachment: null },
      { senderId: me.id, recipientId: 0, bodyText: "to the other" },
      { senderId: 0, recipientId: me.id, bodyText: "from the other" },
    ]);
    expect(data.notifications).toEqual([]);
    const page = strFromU8(files["index.html"] ?? new Uint8Array());
    expect(page).toContain("Someone you can't see now &rarr; You");
    for (const other of [gone, blocked]) expect(page).not.toContain(`Member ${other.id}`);
  });

  it("does not reveal that a picture is held until staff decide", async () => {
    const me = await createMember(worker, { freshProof: true });
    for (const hiddenByStaff of [0, 1, 2, 3])
      await run(
        `insert into picture (profile_id, audience, width, height, bytes, hidden_by_staff, ts_created, ts_updated)
         values (?, 'private', 8, 10, 3, ?, 1, 1)`,
        me.id,
        hiddenByStaff,
      );
    const files = unzipSync(new Uint8Array(await (await me.send("POST", "/api/account/export")).arrayBuffer()));
    const { pictures } = JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array()));
    expect(pictures.map(({ hiddenByStaff }: { hiddenByStaff: number }) => hiddenByStaff)).toEqual([0, 1, 0, 0]);
  });

  it("requires a session and is limited per day", async () => {
    expect((await createVisitor(worker).send("POST", "/api/account/export")).status).toBe(401);
    const me = await createMember(worker, { status: "banned", freshProof: true });
    for (let count = 0; count < 5; count += 1) {
      const response = await me.send("POST", "/api/account/export");
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    for (const path of ["", "/link"]) {
      const rejected = await me.send("POST", `/api/account/export${path}`);
      expect(rejected.status).toBe(429);
      expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("is downloaded by the browser itself with a link of its session, and counts once it has arrived", async () => {
    const passwordHash = quickHash("correct horse battery");
    const [me, other] = [await createMember(worker, { passwordHash }), await createMember(worker, { passwordHash })];
    const { id } = await uploadPicture(me);
    // More than the way to the browser holds, so that a lost download is not complete.
    const key = `pictures/${me.id}/${id}/1/original.webp`;
    await worker.env.PICTURES.put(key, new Uint8Array(16 * 1024 * 1024));
    const ask = (currentPassword?: string) => me.send("POST", "/api/account/export/link", { currentPassword });
    expect((await ask()).status).toBe(403);
    const { url } = (await (await ask("correct horse battery")).json()) as { url: string };
    expect((await createVisitor(worker).fetch(url)).status).toBe(401);
    expect((await other.fetch(url)).status).toBe(403);
    for (const wrong of [url.slice(0, -1), url.replace(/\d{13}/, "9999999999999"), "/api/account/export/none"])
      expect((await me.fetch(wrong)).status).toBe(403);
    for (let count = 0; count < 6; count += 1) {
      expect((await me.fetch(url, { hangUpAfterBytes: 1 })).status).toBe(200);
    }
    await worker.env.PICTURES.delete(key);
    for (let count = 0; count < 5; count += 1) {
      const files = unzipSync(new Uint8Array(await (await me.fetch(url)).arrayBuffer()));
      expect(Object.keys(files)).toContain("data.json");
    }
    expect((await me.fetch(url)).status).toBe(429);
  });

  it("mails its owner once a day when it begins, also one that breaks off, and Account shows when", async () => {
    const passwordHash = quickHash("correct horse battery");
    const me = await createMember(worker, { passwordHash });
    const last = async () => (await me.get<{ tsExported: string | null }>("/api/settings")).tsExported;
    const refused = await me.send("POST", "/api/account/export", { currentPassword: "a guess" });
    expect([refused.status, await last(), await listMails(worker, me.email)]).toEqual([403, null, []]);
    const before = Date.now();
    // Whoever guessed the password, on a device that the owner does not have.
    const thief = await me.onBrand(me.brand);
    const link = await thief.send("POST", "/api/account/export/link", { currentPassword: "correct horse battery" });
    const { url } = (await link.json()) as { url: string };
    expect((await thief.fetch(url, { hangUpAfterBytes: 1 })).status).toBe(200);
    expect(Date.parse((await last()) ?? "")).toBeGreaterThanOrEqual(before);
    const mail = await waitForMail(worker, me.email);
    expect(mail.subject).toBe("Your Ember data was downloaded");
    await (await thief.send("POST", "/api/account/export", { currentPassword: "correct horse battery" })).arrayBuffer();
    expect(await listMails(worker, me.email)).toHaveLength(1);
  });

  it("requires proof of the owner: a found phone or a foreign site gets nothing and does not use up the limit", async () => {
    const me = await createMember(worker, { passwordHash: quickHash("correct horse battery") });
    for (let count = 0; count < 6; count += 1) {
      const foreign = await me.fetch("/api/account/export", {
        method: "POST",
        headers: { origin: "https://evil.example" },
      });
      expect(foreign.status).toBe(403);
      expect(await foreign.json()).toMatchObject({ error: { code: "FOREIGN_ORIGIN" } });
    }
    for (const body of [undefined, {}, { currentPassword: "a guess" }]) {
      const response = await me.send("POST", "/api/account/export", body);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: "CONFIRMATION_NEEDED", field: "currentPassword" } });
    }
    expect((await me.send("POST", "/api/account/export", { currentPassword: 5 })).status).toBe(400);
    for (let count = 0; count < 5; count += 1) {
      const response = await me.send("POST", "/api/account/export", { currentPassword: "correct horse battery" });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  });
});
