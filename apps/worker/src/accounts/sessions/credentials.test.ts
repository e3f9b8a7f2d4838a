/** Plays the table of docs/SECURITY.md that says what closes whatever a session opened: credentials, and what others see or reach. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_BRANDS_MASK } from "@lambda/brands";
import type { PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import type { Point } from "@lambda/geo/distance";
import { makePasskey, signWith } from "@lambda/testing/authenticator";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { uploadPicture } from "@lambda/testing/pictures";
import { listProcedures } from "@lambda/testing/procedures";
import { postIntroduction, webmRecording } from "@lambda/testing/recordings";
import { PHOENIX, reportPosition } from "@lambda/testing/scenes/positions";
import { ROOT } from "@lambda/testing/site";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";
import { EXPIRED } from "../../data-rights/retention/expired.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { appRouter } from "../../router.ts";
import { hashToken, newToken } from "./tokens.ts";

const PASSWORD = "correct horse battery";
const WORDS = "abandon ability able about above absent absorb abstract";

let worker: TestWorker;
let passwordHash: string;
beforeAll(async () => {
  worker = await startWorker();
  passwordHash = quickHash(PASSWORD);
});

const run = async (sql: string, ...values: (string | number)[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results;

async function json<Body>(response: Response | Promise<Response>): Promise<Body> {
  const answered = await response;
  if (!answered.ok) throw new Error(`${answered.status} ${await answered.text()}`);
  return (await answered.json()) as Body;
}

async function mailedAfter(to: string, act: () => Promise<unknown>): Promise<string> {
  const earlier = (await listMails(worker, to)).length;
  await act();
  return (await waitForMail(worker, to, earlier)).text;
}

/** Requests a change of address and returns what the link in its mail carries. */
async function requestChange(me: TestMember, email: string) {
  const text = await mailedAfter(email, () => json(me.send("PUT", "/api/settings", { email })));
  return { email, token: /confirm=([\w-]+)/.exec(text)?.[1] ?? "" };
}

interface Scene {
  readonly me: TestMember;
  /** Another session of the member. */
  readonly elsewhere: TestMember;
}

/** Resolves to whether the credential still works. The member may have another address by then. */
type Check = (current: { email: string }) => Promise<boolean>;

/** Sets each credential up. Checked in this order, since a second PIN that works ends others. */
const CREDENTIALS: Record<string, (scene: Scene) => Promise<Check>> = {
  "session of another device":
    async ({ elsewhere }) =>
    async () =>
      (await elsewhere.fetch("/api/settings")).ok,
  "session that does it":
    async ({ me }) =>
    async () =>
      (await me.fetch("/api/settings")).ok,
  "push subscription of another device": async ({ me }) => {
    await run(
      `insert into push_subscription (profile_id, session_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
       select account_id, max(id), 'Phone', 'https://push.example/' || account_id, 'a', 'b', 'ember', 1 from session where account_id = ?`,
      me.id,
    );
    return async () => (await run("select 1 from push_subscription where profile_id = ?", me.id)).length > 0;
  },
  "login link and digits under way": async ({ me }) => {
    const body = { email: me.email, acknowledgements: "cookies; adult; geolocation" };
    const text = await mailedAfter(me.email, () => createVisitor(worker).send("POST", "/api/auth/register", body));
    const token = /token=([\w-]+)/.exec(text)?.[1];
    return async () => (await createVisitor(worker).send("POST", "/api/auth/token", { token, confirmed: true })).ok;
  },
  "change of address under way": async ({ me }) => {
    const change = await requestChange(me, `pending-${me.id}@example.test`);
    return async () => {
      const owner = await logIn(worker, me.id);
      await run("update session set ts_proved = ? where account_id = ?", Date.now(), me.id);
      return (await owner.send("POST", "/api/settings/email-confirmation", change)).ok;
    };
  },
  passkey: async ({ me }) => {
    const { options } = await json<PasskeyCreation>(me.send("POST", "/api/passkey/options"));
    const { passkey, attestation } = makePasskey(options, "http://ember.localhost");
    await json(me.send("POST", "/api/passkey", { attestation, name: "Phone" }));
    return async () => {
      const { challenge } = await json<PasskeyRequest>(createVisitor(worker).fetch("/api/auth/passkey"));
      const assertion = signWith(passkey, challenge);
      return (await createVisitor(worker).send("POST", "/api/auth/passkey", { assertion })).ok;
    };
  },
  password: async () => async (current) => {
    const credentials = { username: current.email, password: PASSWORD };
    return (await createVisitor(worker).send("POST", "/api/auth", credentials)).ok;
  },
  "recovery words": async ({ me }) => {
    await me.send("PUT", "/api/recovery-words", { words: WORDS });
    return async (current) => {
      await run(
        "insert into lockdown (account_id, ts_until) values (?, 9e15) on conflict do update set ts_until = 9e15",
        me.id,
      );
      const credentials = { username: current.email, password: WORDS };
      const response = await createVisitor(worker).send("POST", "/api/auth", credentials);
      await run("delete from lockdown where account_id = ?", me.id);
      return (await response.text()).includes("LOCKDOWN_ENDED");
    };
  },
  "second PIN": async ({ me }) => {
    const token = newToken();
    const tokenHash = Buffer.from(await hashToken(token)).toString("hex");
    await me.send("POST", "/api/lockdown-signal", { tokenHash, hours: 72 });
    return async () => {
      await createVisitor(worker).send("POST", "/api/unlock", { token });
      return (await run("select 1 from lockdown where account_id = ? and ts_until > 0", me.id)).length > 0;
    };
  },
};

const ACTS: Record<string, (me: TestMember) => Promise<unknown>> = {
  "new password": (me) => json(me.send("PUT", "/api/settings", { password: "a brand new secret" })),
  "new address": async (me) => {
    const change = await requestChange(me, `moved-${me.id}@example.test`);
    await json(me.send("POST", "/api/settings/email-confirmation", change));
  },
  "log out everywhere": (me) => me.send("DELETE", "/api/sessions"),
  "lock-down, and its end": async (me) => {
    const token = newToken();
    const tokenHash = Buffer.from(await hashToken(token)).toString("hex");
    await me.send("POST", "/api/lockdown-signal", { tokenHash, hours: 1 });
    await createVisitor(worker).send("POST", "/api/unlock", { token });
    await run("update lockdown set ts_until = 0 where account_id = ?", me.id);
  },
  "deletion, and return": async (me) => {
    await json(me.send("POST", "/api/account/deletion", {}));
    await run("update account set ts_deleted = null where id = ?", me.id);
    await run("update profile set status = 'active' where id = ?", me.id);
  },
};

/** Whether the other can see the member, and the member's album. */
const sees = (other: TestMember, me: TestMember) => async () => (await other.fetch(`/api/profile/${me.id}`)).ok;
const like = (by: TestMember, other: TestMember, change: object) =>
  json(by.send("PUT", "/api/profile-like", { likedProfileId: other.id, ...change }));
const setDiscreet = (by: TestMember, discreet: boolean) => json(by.send("PUT", "/api/settings/discreet", { discreet }));
const send = (by: TestMember, other: TestMember, message: object) =>
  json(by.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: `Hello ${by.id}`, ...message }));

const KAMPALA = { lat: 0.3136, lon: 32.5811 };
/** Whether a picture is among those that the other gets of the member. */
const shows = (other: TestMember, me: TestMember, id: number) => async () => {
  const response = await other.fetch(`/api/profile-pics/${me.id}`);
  return response.ok && ((await response.json()) as { id: number }[]).some((picture) => picture.id === id);
};
/** What the phone in other hands opens to another member, in its session without a proof. */
const DISCLOSURES: Record<string, (me: TestMember, phone: TestMember, other: TestMember) => Promise<Check>> = {
  "a block undone": async (me, phone, other) => {
    await like(me, other, { blocked: true });
    expect((await phone.send("DELETE", `/api/block/${other.id}`)).status).toBe(204);
    return sees(other, me);
  },
  "a private album opened": async (me, phone, other) => {
    await json(phone.send("PUT", "/api/album-grant", { memberProfileId: other.id }));
    return async () => (await json<{ received: string }>(other.fetch(`/api/album/${me.id}`))).received === "granted";
  },
  "an album opened by a message": async (me, phone, other) => {
    await send(phone, other, { attachment: { type: "album" } });
    return async () => (await json<{ received: string }>(other.fetch(`/api/album/${me.id}`))).received === "granted";
  },
  "a like by a discreet member": async (me, phone, other) => {
    await setDiscreet(me, true);
    await like(phone, other, { likeType: "LIKE" });
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(1);
    return sees(other, me);
  },
  "a message by a discreet member": async (me, phone, other) => {
    await setDiscreet(me, true);
    await send(phone, other, {});
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(1);
    return sees(other, me);
  },
  "discretion ended": async (me, phone, other) => {
    await setDiscreet(me, true);
    await setDiscreet(phone, false);
    return sees(other, me);
  },
  "another site shows the member": async (me, phone) => {
    await json(phone.send("PUT", "/api/settings/sharing", { sharedOn: ALL_BRANDS_MASK }));
    return sees(await (await createMember(worker, { sharedOn: ALL_BRANDS_MASK })).onBrand("harbor"), me);
  },
  "hiding ended": async (me, phone, other) => {
    expect((await reportPosition(me, PHOENIX, { hide: true })).status).toBe(200);
    expect((await reportPosition(phone, PHOENIX, { hide: false })).status).toBe(200);
    return sees(other, me);
  },
  "a stay abroad loosened": async (me, phone, other) => {
    const { id } = await uploadPicture(me, { nsfw: true });
    const choose = (by: TestMember, shown: string, isSafe: boolean) =>
      json(by.send("PUT", "/api/travel/stay", { shown, withdrawn: isSafe, muted: isSafe }));
    await json(reportPosition(me, KAMPALA, { use: "DEVICE_GPS" }));
    await choose(me, "city", true);
    // In two steps, of which the first counts.
    await choose(phone, "city", false);
    await choose(phone, "usual", false);
    return shows(other, me, id);
  },
  "a private picture made public": async (me, phone, other) => {
    const { id } = await uploadPicture(me, { audience: "private" });
    await json(phone.send("PUT", "/api/profile-pics", { profilePicIds: [id] }));
    return shows(other, me, id);
  },
  "a private introduction made public": async (me, phone, other) => {
    expect((await postIntroduction(me, { bytes: webmRecording(), audience: "private" })).status).toBe(201);
    await json(phone.send("PUT", "/api/profile-voice", { audience: "public" }));
    return async () => {
      const profile = await other.fetch(`/api/profile/${me.id}`);
      return profile.ok && ((await profile.json()) as { voice: object | null }).voice !== null;
    };
  },
  "looser limits on first messages": async (me, phone) => {
    const limits = { matchesOnly: true, ageMax: 60 };
    await json(me.send("PUT", "/api/chat-preferences", { firstContact: limits }));
    await json(phone.send("PUT", "/api/chat-preferences", { firstContact: {} }));
    return async () => {
      const message = { recipientProfileId: me.id, bodyText: `Hello ${Math.random()}` };
      return (await (await createMember(worker)).send("POST", "/api/message", message)).ok;
    };
  },
  "wider audiences of health": async (me, phone, other) => {
    await json(
      me.send("PUT", "/api/health-panel", { hivStatus: "undetectable", prep: "no", audiences: { prep: "matches" } }),
    );
    await json(phone.send("PUT", "/api/health-panel", { audiences: { hivStatus: "members", prep: "members" } }));
    return async () => {
      const relation = await other.fetch(`/api/profile/${me.id}/relation`);
      return relation.ok && Object.keys(((await relation.json()) as { health: object }).health).length > 0;
    };
  },
};

it.each(Object.entries(ACTS))("takes back by a %s what a phone in other hands opened", async (act, perform) => {
  const other = await createMember(worker);
  const seen: Record<string, string> = {};
  for (const [name, open] of Object.entries(DISCLOSURES)) {
    const me = await createMember(worker, { passwordHash, freshProof: true });
    const works = await open(me, await logIn(worker, me.id), other);
    expect([name, await works({ email: me.email })]).toEqual([name, true]);
    await perform(me);
    // A lock-down hides by itself.
    if (act.startsWith("lock-down") && name !== "hiding ended")
      await run("update profile set hidden = 0 where id = ?", me.id);
    seen[name] = (await works({ email: me.email })) ? "stays" : "ends";
    expect([name, await run("select 1 from disclosure where profile_id = ?", me.id)]).toEqual([name, []]);
  }
  const { acts, rows } = readTable();
  const column = acts.indexOf(act);
  const names = Object.keys(DISCLOSURES);
  expect(seen).toEqual(Object.fromEntries(names.map((name) => [name, rows.get(name)?.[column]])));
});

function likeAfterAlbum(later: () => Promise<unknown>): (typeof DISCLOSURES)[string] {
  return async (me, phone, other) => {
    await setDiscreet(me, true);
    await json(me.send("PUT", "/api/album-grant", { memberProfileId: other.id, expiresInMs: 60_000 }));
    await expect.poll(() => run("select 1 from shown_to where profile_id = ?", me.id)).toHaveLength(1);
    await run("update album_grant set ts_expires = 1 where owner_id = ?", me.id);
    await later();
    expect(await sees(other, me)()).toBe(false);
    await like(phone, other, { likeType: "LIKE" });
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(1);
    return sees(other, me);
  };
}

/** What a phone in other hands opens in several steps, of which one hides another. */
const DISCLOSED_IN_STEPS: typeof DISCLOSURES = {
  "discretion ended, and a message": async (me, phone, other) => {
    await setDiscreet(me, true);
    await send(phone, other, {});
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(1);
    await setDiscreet(phone, false);
    return sees(other, me);
  },
  "a like while discretion is ended": async (me, phone, other) => {
    await setDiscreet(me, true);
    await setDiscreet(phone, false);
    await like(phone, other, { likeType: "LIKE" });
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(2);
    await setDiscreet(phone, true);
    return sees(other, me);
  },
  "a message while discretion is ended": async (me, phone, other) => {
    await setDiscreet(me, true);
    await setDiscreet(phone, false);
    await send(phone, other, {});
    await expect.poll(() => run("select 1 from disclosure where profile_id = ?", me.id)).toHaveLength(2);
    return sees(other, me);
  },
  "a like after an album closed by itself": likeAfterAlbum(async () => {}),
  "a like after an album closed by itself, and its grant was deleted": likeAfterAlbum(() =>
    EXPIRED.deleteExpiredGrants(openDatabase(worker.env.DB), Date.now())(100),
  ),
};

it.each(Object.entries(DISCLOSED_IN_STEPS))("takes back %s", async (_, open) => {
  const other = await createMember(worker);
  const me = await createMember(worker, { passwordHash, freshProof: true });
  const works = await open(me, await logIn(worker, me.id), other);
  expect(await works({ email: me.email })).toBe(true);
  await me.send("DELETE", "/api/sessions");
  expect(await works({ email: me.email })).toBe(false);
});

it("hides a member again whom a phone had shown, also when a stay that hid them in the meantime ends", async () => {
  const other = await createMember(worker);
  const me = await createMember(worker, { freshProof: true });
  const gps = (by: TestMember, at: Point, more: object = {}) =>
    json(reportPosition(by, at, { use: "DEVICE_GPS", ...more }, Date.now()));
  await gps(me, PHOENIX, { hide: true });
  await gps(await logIn(worker, me.id), PHOENIX, { hide: false });
  expect(await sees(other, me)()).toBe(true);
  await gps(me, { lat: 0.3136, lon: 32.5811 });
  await me.send("DELETE", "/api/sessions");
  await json(reportPosition(await logIn(worker, me.id), PHOENIX, { use: "DEVICE_GPS" }, Date.now() + 3_600_000));
  expect(await sees(other, me)()).toBe(false);
});

it("sets what was loosened back to its first value, and nothing that is stricter by then", async () => {
  const me = await createMember(worker, { freshProof: true });
  const [first, second] = [await uploadPicture(me, { audience: "private" }), await uploadPicture(me)];
  const limit = (by: TestMember, firstContact: object) =>
    json(by.send("PUT", "/api/chat-preferences", { firstContact, phrases: ["Hi"] }));
  const share = (by: TestMember, audiences: object) => json(by.send("PUT", "/api/health-panel", { audiences }));
  await limit(me, { matchesOnly: true, ageMin: 30, ageMax: 50, distanceMaxMetres: 5000 });
  await share(me, { hivStatus: "matches", prep: "matches" });
  await json(reportPosition(me, KAMPALA, { use: "DEVICE_GPS", precision: "street" }));
  await json(me.send("PUT", "/api/travel/stay", { shown: "city", withdrawn: true, muted: true }));
  const phone = await logIn(worker, me.id);
  await limit(phone, { ageMin: 20, ageMax: 60 });
  await limit(phone, {});
  await share(phone, { hivStatus: "members", prep: "members", doxyPep: "matches" });
  await json(phone.send("PUT", "/api/profile-pics", { profilePicIds: [first.id, second.id] }));
  await json(phone.send("PUT", "/api/travel/stay", { shown: "usual", withdrawn: true, muted: false }));
  await json(reportPosition(phone, KAMPALA, { use: "DEVICE_GPS", precision: "street" }));
  await limit(phone, { ageMin: 40 });
  await share(phone, { prep: "nobody" });
  const listed = await phone.get<{ kind: string; profileName: null }[]>("/api/disclosures");
  expect(listed.map(({ kind, profileName }) => [kind, profileName])).toEqual(
    ["stay", "picture", "health", "limits"].map((kind) => [kind, null]),
  );

  await me.send("DELETE", "/api/sessions");
  const [row] = await run(
    `select a.preferences, h.audiences, t.shown, t.pictures_withdrawn, t.muted, p.pics_public, p.pics_private,
        exists (select 1 from position o where o.profile_id = p.id and o.ts_effective_until > ?) as placed
      from account a join profile p on p.id = a.id join health_panel h on h.profile_id = p.id join travel_stay t on t.profile_id = p.id
      where a.id = ?`,
    Date.now(),
    me.id,
  );
  const { preferences, audiences, ...rest } = row as Record<string, string>;
  expect(JSON.parse(preferences!)).toMatchObject({
    firstContact: { matchesOnly: true, checkedOnly: false, ageMin: 40, ageMax: 50, distanceMaxMetres: 5000 },
    phrases: ["Hi"],
  });
  expect(JSON.parse(audiences!)).toMatchObject({ hivStatus: "matches", prep: "nobody", doxyPep: "nobody" });
  expect(rest).toEqual({
    ...{ shown: "city", pictures_withdrawn: 1, muted: 1, placed: 0 },
    ...{ pics_public: `[${second.id}]`, pics_private: `[${first.id}]` },
  });
});

it("does not take back whom the member liked or wrote to before discretion was ended without a proof", async () => {
  const me = await createMember(worker, { passwordHash, freshProof: true });
  const [liked, written] = [await createMember(worker), await createMember(worker)];
  await setDiscreet(me, true);
  await like(me, liked, { likeType: "LIKE" });
  await send(me, written, {});
  const phone = await logIn(worker, me.id);
  await setDiscreet(phone, false);
  await send(phone, liked, {});
  await send(phone, written, {});
  await like(phone, written, { likeType: "LIKE" });
  await me.send("DELETE", "/api/sessions");
  for (const other of [liked, written]) expect(await sees(other, me)()).toBe(true);
});

it("asks for a proof to undo a block once its notice is gone, and keeps what was opened with one, long ago, or ticked off", async () => {
  const [me, other, third, kept] = [
    await createMember(worker, { freshProof: true }),
    await createMember(worker),
    await createMember(worker),
    await createMember(worker),
  ];
  const phone = await logIn(worker, me.id);
  await like(me, other, { blocked: true });
  await run("update block set ts_created = ts_created - 61000 where profile_id = ?", me.id);
  const undo = () => phone.send("DELETE", `/api/block/${other.id}`);
  for (const refused of [
    undo(),
    phone.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: false }),
  ]) {
    const response = await refused;
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: "CONFIRMATION_NEEDED" } }]);
  }
  expect(await sees(other, me)()).toBe(false);
  // Nobody learns whom the member did not block.
  expect((await phone.send("DELETE", `/api/block/${third.id}`)).status).toBe(204);
  expect((await me.send("DELETE", `/api/block/${other.id}`)).status).toBe(204);
  const grant = (by: TestMember, to: TestMember) =>
    json(by.send("PUT", "/api/album-grant", { memberProfileId: to.id }));
  // Without a proof, and then again with one.
  await grant(phone, other);
  await grant(me, other);
  await grant(phone, third);
  await run("update disclosure set ts_created = ts_created - 31 * 86400000 where profile_id = ?", me.id);
  await grant(phone, kept);
  const listed = await phone.get<{ id: number; kind: string; profileId: number }[]>("/api/disclosures");
  expect(listed).toMatchObject([{ kind: "album", profileId: kept.id, profileName: expect.any(String), brand: null }]);
  expect(await other.get("/api/disclosures")).toEqual([]);
  // Who holds the phone could keep it too, so without a proof the line stays listed.
  expect((await phone.send("DELETE", "/api/sessions", { keep: listed.map(({ id }) => id) })).status).toBe(204);
  const owner = await logIn(worker, me.id);
  const given = await owner.get<{ memberProfileId: number }[]>("/api/album-grants/given");
  expect(given.map(({ memberProfileId }) => memberProfileId).sort()).toEqual([other.id, third.id, kept.id].sort());
  expect(await owner.get("/api/disclosures")).toEqual(listed);
  // Who proves to be the owner keeps it for good, by a new address too.
  await run("update session set ts_proved = ? where account_id = ?", Date.now(), me.id);
  const change = await requestChange(owner, `kept-${me.id}@example.test`);
  await json(owner.send("POST", "/api/settings/email-confirmation", { ...change, keep: listed.map(({ id }) => id) }));
  expect(await owner.get("/api/album-grants/given")).toEqual(given);
  expect(await owner.get("/api/disclosures")).toEqual([]);
  expect((await owner.send("DELETE", "/api/sessions", { keep: "all" })).status).toBe(400);
});

/** Mutations after which nobody sees or reaches more of a member for longer than the session, by what bounds them. */
const OPENS_NOTHING: Record<string, string> = {
  "the own account, its credentials and devices, of which the table has a row": `accounts.logout accounts.login accounts.loginByToken
    accounts.loginByDigits accounts.register passkeys.logIn settings.update settings.confirmEmail sessions.end sessions.endAll sessions.setLock
    passkeys.creation passkeys.add passkeys.rename passkeys.remove proofs.mail proofs.byPassword proofs.byPasskey proofs.byDigits
    lockdown.prepare lockdown.setWords lockdown.removeSignal lockdown.removeWords lockdown.unlocked push.subscribe push.unsubscribe
    notifications.delete notifications.updatePreferences deletion.request export.link age.begin age.answer age.remove`,
  "only ever less": `albums.request albums.withdraw albums.revoke travel.removeTrip travel.acknowledgeStayEnd tonight.end voices.delete pictures.delete
    positions.forgetPlaces messages.remove met.takeBack personCheck.withdraw messages.declinePictures messages.closeOnce`,
  "what the member publishes to whoever sees the profile anyway, lists there, and can delete": `pictures.update tonight.put travel.addTrip travel.showTrip met.say personCheck.start personCheck.submit`,
  "a message's own life": "messages.read messages.delivered messages.react",
  "private, or staff's, a jury's or a game's": `notes.put pictureLikes.put reports.file reports.fileCheck reports.appeal arbitration.vote arbitration.recuse
    arbitration.setOptedOut contact.send contact.reportProblem notices.challenge notices.file notices.receipt notices.disown notices.answer
    notices.counter exposure.send games.hotDraw games.ratingDraw games.busterDraw games.identifyStart games.identifyAnswer games.ratingVote
    games.busterVote games.requestReview games.cropSuggest games.cropClose games.cootiesPlay games.cootiesTag personCheck.draw personCheck.vote`,
  "whoever has the plan's link, for a day": `meets.create meets.status meets.addPosition meets.answer meets.read meets.subscribe`,
};

it("knows of each call whether it lets somebody else see or reach more", () => {
  const opening = readTable().calls.flatMap((cell) => [...cell.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name));
  const others = Object.values(OPENS_NOTHING).flatMap((names) => names.split(/\s+/));
  const changing = listProcedures(appRouter)
    .filter(({ type, meta }) => type === "mutation" && meta.access !== "admin")
    .map(({ name }) => name);
  expect([...new Set([...opening, ...others])].sort()).toEqual(changing.sort());
  expect(others.filter((name) => opening.includes(name))).toEqual([]);
});

/** The rows of the table, by credential and act. */
function readTable(): { acts: string[]; rows: Map<string, string[]>; calls: string[] } {
  const text = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const section = text.split("### What was opened, and what closes it")[1]?.split("\n#")[0] ?? "";
  const [head = [], , ...body] = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  // A disclosure's row names the calls that make it.
  const calls = body.map(([name = ""]) => name);
  const nameOf = (cell: string) => cell.replace(/ \(.*\)$/, "");
  return { acts: head.slice(3), rows: new Map(body.map(([name = "", , , ...cells]) => [nameOf(name), cells])), calls };
}

it("lists every credential and act that is played here", () => {
  const { acts, rows } = readTable();
  expect(acts).toEqual(Object.keys(ACTS));
  expect([...rows.keys()].sort()).toEqual([...Object.keys(CREDENTIALS), ...Object.keys(DISCLOSURES)].sort());
});

it.each(Object.entries(ACTS))("says what survives a %s", async (act, perform) => {
  const me = await createMember(worker, { passwordHash, freshProof: true });
  const scene = { me, elsewhere: await me.onBrand("ember") };
  const checks: [string, Check][] = [];
  for (const [name, prepare] of Object.entries(CREDENTIALS)) checks.push([name, await prepare(scene)]);
  await perform(me);
  const [current] = await run("select email from account where id = ?", me.id);
  const seen: Record<string, string> = {};
  for (const [name, works] of checks) seen[name] = (await works(current as { email: string })) ? "stays" : "ends";
  const { acts, rows } = readTable();
  const column = acts.indexOf(act);
  expect(seen).toEqual(Object.fromEntries(checks.map(([name]) => [name, rows.get(name)?.[column]])));
});
