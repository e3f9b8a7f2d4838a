/**
 * A drill: every key of a site with members gets a new version, the scheduled jobs run, and the old versions go. At each step the main path
 * is walked.
 */
import { createECDH } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import type { OwnPlaces } from "@lambda/contract/positions";
import { makePasskey, signWith, type TestPasskey } from "@lambda/testing/authenticator";
import { fileConfirmed } from "@lambda/testing/confirmed-notices";
import { workerWith } from "@lambda/testing/harness";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { fileNotice, openReceipt, parseReceiptLink } from "@lambda/testing/notices";
import { quickHash } from "@lambda/testing/password";
import { uploadPicture } from "@lambda/testing/pictures";
import { type PushDevice, type PushService, startPushService } from "@lambda/testing/push-service";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { senderMacs } from "../games/exposure/cancel-on-block.ts";
import { unseal } from "../moderation/hold/seal.ts";
import { holdObjectKey } from "../moderation/hold/start.ts";
import { HOURLY, NIGHTLY } from "../schedule.ts";
import type { LegalHoldItemRow, LegalHoldRow } from "./db/tables.ts";
import { decrypt } from "./encryption.ts";
import { openPrint } from "./images/picture-print.ts";
import { RENEWED_COLUMNS } from "./renewal/statements.ts";

const PASSWORD = "correct horse battery";
const [FIRST, SECOND] = [makePushKeys(), makePushKeys()];
const OLD = { SITE_KEY: "first site key", HOLD_KEY: "first hold key", ...FIRST };
/** As npm run keys leaves them: the public half among the variables comes with the next deployment. */
const BOTH = {
  SITE_KEY: "2:second site key,1:first site key",
  HOLD_KEY: "2:second,1:first hold key",
  VAPID_PUBLIC_KEY: FIRST.VAPID_PUBLIC_KEY,
  VAPID_PRIVATE_KEY: `2:${pairOf(SECOND)},1:${pairOf(FIRST)}`,
};
/** Holds are kept for a year, and cannot be encrypted anew. */
const NEW = { ...BOTH, SITE_KEY: "2:second site key", VAPID_PRIVATE_KEY: `2:${pairOf(SECOND)}` };

let state: string;
let current: TestWorker;
let service: PushService;
/** Stays the same when the site is started with other keys. */
const site = new Proxy({} as TestWorker, { get: (_target, name) => Reflect.get(current, name) });

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "rotation-"));
  service = await startPushService();
});
afterAll(async () => {
  service.close();
  await current.close();
  rmSync(state, { recursive: true, force: true });
});

async function startWith(vars: Readonly<Record<string, string>>): Promise<void> {
  await current?.close();
  current = await startSeparateWorker([{ ...workerWith(0), vars }], { state });
}

function makePushKeys() {
  const pair = createECDH("prime256v1");
  return {
    VAPID_PUBLIC_KEY: pair.generateKeys().toString("base64url"),
    VAPID_PRIVATE_KEY: pair.getPrivateKey().toString("base64url").padStart(43, "A"),
  };
}

function pairOf({ VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY }: ReturnType<typeof makePushKeys>): string {
  return `${VAPID_PRIVATE_KEY}.${VAPID_PUBLIC_KEY}`;
}

/** What was there before the keys changed. */
interface Community {
  readonly admin: TestMember;
  /** Their passkey's handle is random, and a code of the old key as of members from before handles were stored. */
  readonly registered: TestMember;
  readonly early: TestMember;
  readonly passkeys: readonly { readonly owner: TestMember; readonly passkey: TestPasskey }[];
  readonly places: Awaited<ReturnType<typeof placesOf>>;
  readonly marker: unknown;
  readonly receipt: { readonly ref: string; readonly secret: string };
  readonly phone: PushDevice;
}

async function registerByMail(email: string): Promise<{ member: TestMember; used: string }> {
  const visitor = createVisitor(site);
  const known = (await listMails(site, email)).length;
  await visitor.send("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation" });
  const token = /token=([\w-]+)/.exec((await waitForMail(site, email, known)).text)?.[1];
  const opened = await visitor.send("POST", "/api/auth/token", { token, confirmed: true });
  expect(opened.status).toBe(200);
  const [row] = await queryRows(site, "select id from account where email = ?", email);
  const used = /plain_used=[^;]+/.exec(opened.headers.get("set-cookie") ?? "")?.[0] ?? "";
  return { member: await logIn(site, Number(row?.id)), used };
}

async function addPasskey(owner: TestMember) {
  await queryRows(site, "update session set ts_proved = ? where account_id = ?", Date.now(), owner.id);
  const { options } = (await (await owner.send("POST", "/api/passkey/options")).json()) as PasskeyCreation;
  const { passkey, attestation } = makePasskey(options, "http://ember.localhost", { counts: false });
  expect((await owner.send("POST", "/api/passkey", { attestation })).status).toBe(201);
  return { owner, passkey };
}

async function logInWith(passkey: TestPasskey): Promise<number> {
  const visitor = createVisitor(site);
  const { challenge } = (await (await visitor.fetch("/api/auth/passkey")).json()) as PasskeyRequest;
  return (await visitor.send("POST", "/api/auth/passkey", { assertion: signWith(passkey, challenge) })).status;
}

async function ban(admin: TestMember, member: TestMember): Promise<void> {
  const action = { subjectProfileId: member.id, kind: "ban", rule: "scam", reason: "Asked for money" };
  expect((await admin.send("POST", "/api/admin/action", action)).status).toBe(201);
}

const report = (by: TestMember, subject: TestMember) =>
  by.send("POST", "/api/report", {
    subjectProfileId: subject.id,
    category: "minor",
    source: "profile",
    text: "Look",
    pictureIds: [],
  });

const markerOf = async ({ id }: TestMember) =>
  (await queryRows(site, "select key, cell from position where profile_id = ?", id))[0];
/** Without the days of the visits, which a test before midnight adds to. */
async function placesOf(member: TestMember) {
  const places = await member.get<OwnPlaces>(`/api/profile-position/${member.id}/places`);
  return { ...places, remembered: places.remembered.map(({ cell }) => cell) };
}

async function found(): Promise<Community> {
  const admin = await createMember(site, { adminBrand: "ember", hidden: true });
  const { member: registered } = await registerByMail("registered@example.test");
  await queryRows(
    site,
    "update profile set profile_name = 'Registered', birthdate = '1990-05-17' where id = ?",
    registered.id,
  );
  const early = await createMember(site, { email: "early@example.test", passwordHash: quickHash(PASSWORD) });
  const passkeys = [await addPasskey(registered), await addPasskey(early)];
  const handles = await queryRows(
    site,
    "select passkey_handle as handle from account where id in (?, ?)",
    registered.id,
    early.id,
  );
  expect(handles.map(({ handle }) => typeof handle)).toEqual(["string", "object"]);
  const now = Date.now();
  for (const at of [now, now + 3_600_000]) await reportPosition(registered, PHOENIX, { use: "DEVICE_GPS" }, at);
  await reportPosition(early, { ...PHOENIX, lat: PHOENIX.lat + 0.02 });
  await uploadPicture(registered);
  const phone = await subscribe(early, "phone");
  await report(early, await createMember(site));
  const scammer = await createMember(site, { email: "scammer@example.test" });
  await uploadPicture(scammer, { bytes: makeScenePng(1) });
  await ban(admin, scammer);
  await queryRows(site, "delete from account where id = ?", scammer.id);
  const receipt = await fileConfirmed(site, createVisitor(site));
  const print = "(select sealed_print from picture_hash limit 1)";
  await queryRows(site, `update notice set upload_print = ${print}`);
  await queryRows(
    site,
    `insert into known_picture (hash, sealed_print, source, rule, ts_created)
     values ('${"0".repeat(64)}', ${print}, 'staff', 'intimate', 1)`,
  );
  await queryRows(
    site,
    `insert into notice_picture (notice_id, picture_id, profile_id, version, state, ts_created, sealed_print)
     select n.id, p.id, p.profile_id, p.version, 'named', 1, ${print} from notice n, picture p limit 1`,
  );
  const [places, marker] = [await placesOf(registered), await markerOf(registered)];
  expect(places.remembered).toHaveLength(1);
  return { admin, registered, early, passkeys, places, marker, receipt, phone };
}

/** As a page does that finds another key than the one its device subscribed with. */
async function subscribe(member: TestMember, name: string): Promise<PushDevice> {
  const { applicationServerKey } = await member.get<{ applicationServerKey: string }>("/api/push-key");
  const known = await member.get<{ id: number }[]>("/api/push-subscriptions");
  const phone = service.createDevice(name, applicationServerKey);
  expect((await member.send("POST", "/api/push-subscription", phone.subscription)).status).toBe(201);
  for (const { id } of known)
    expect((await member.send("DELETE", `/api/push-subscription/${id}`)).status).toBeLessThan(300);
  return phone;
}

/** Everything that a member does, with sessions from before. */
async function walk({ registered, early, passkeys, places, marker, phone }: Community, keys: typeof OLD, step: string) {
  for (const { owner, passkey } of passkeys) expect(await logInWith(passkey), `${step}: ${owner.email}`).toBe(200);
  const credentials = { username: "early@example.test", password: PASSWORD };
  expect((await createVisitor(site).send("POST", "/api/auth", credentials)).status, step).toBe(200);
  expect(await registered.get("/api/settings"), step).toMatchObject({ defaultProfileId: registered.id });
  expect(await early.get(`/api/profile/${registered.id}`), step).toMatchObject({ id: registered.id });
  // Nobody's displacements change, and no place is chosen again.
  expect((await reportPosition(registered, PHOENIX, { use: "DEVICE_GPS" }, Date.now() + 7_200_000)).status).toBe(200);
  expect([await placesOf(registered), await markerOf(registered)], step).toEqual([places, marker]);
  const found = await early.get<{ profileId: number }[]>("/api/profile-briefs/nearest");
  expect(
    found.map(({ profileId }) => profileId),
    step,
  ).toContain(registered.id);
  const pushes = service.received.filter(({ path }) => path === phone.path).length;
  const message = { recipientProfileId: early.id, bodyText: `Hello, this is the site after ${step}` };
  expect((await registered.send("POST", "/api/message", message)).status, step).toBe(201);
  const push = await service.waitForPush(phone.path, pushes + 1);
  expect(phone.decrypt(push.body), step).toMatchObject({ kind: "message" });
  expect(push.headers.authorization, step).toContain(`k=${phone.key}`);
  const [picture] = await queryRows(site, "select hex(sealed_print) as print from picture_hash");
  expect(openPrint(keys, Buffer.from(String(picture?.print), "hex")), step).toBeDefined();
  await openHolds(keys, step);
}

async function openHolds(keys: typeof OLD, step: string): Promise<void> {
  const holds = (await queryRows(site, "select * from legal_hold")) as unknown as LegalHoldRow[];
  const items = (await queryRows(
    site,
    "select * from legal_hold_item where kind = 'record'",
  )) as unknown as LegalHoldItemRow[];
  expect(items.length, step).toBeGreaterThan(0);
  for (const item of items) {
    const hold = holds.find(({ hold_ref }) => hold_ref === item.hold_ref)!;
    const object = await site.env.PICTURES.get(holdObjectKey(hold, item.mac));
    expect(
      new TextDecoder().decode(unseal(keys.HOLD_KEY, hold, item.mac, await object!.arrayBuffer())),
      step,
    ).toContain("Look");
  }
}

async function isBanned(email: string): Promise<boolean> {
  const known = (await listMails(site, email)).length;
  await createVisitor(site).send("POST", "/api/auth/register", {
    email,
    acknowledgements: "cookies; adult; geolocation",
  });
  return (await waitForMail(site, email, known)).text.includes("closed for breaking the rules");
}

const receiptStatus = async ({ receipt: { ref, secret } }: Community) =>
  (await createVisitor(site).send("POST", `/api/notice/${ref}/receipt`, { secret })).status;

it("every key of a site can change while its members go on", { tags: "slow" }, async () => {
  await startWith(OLD);
  let community = await found();
  const { admin, registered, early } = community;
  const { used, member: other } = await registerByMail("other@example.test");
  await walk(community, OLD, "the first keys");
  const wait = { id: "waiting", recipient: early.id, mac: senderMacs(OLD, "waiting", registered.id, early.id)[0] };
  await queryRows(
    site,
    "insert into exposure_notice values (?, ?, 'ember', ?, ?, ?)",
    wait.id,
    wait.recipient,
    Date.now() + 9e7,
    Date.now() + 9e8,
    wait.mac,
  );

  // The mail of a notice that its sender opens only after the keys have changed.
  const notifier = createVisitor(site);
  const email = "between@example.test";
  await fileNotice(notifier, { email });
  const mailed = parseReceiptLink((await waitForMail(site, email)).text);

  // With both versions: before any job has run.
  await startWith(BOTH);
  for (const link of [mailed, mailed])
    expect(await openReceipt(createVisitor(site), link)).toMatchObject({ confirmed: false });
  const again = parseReceiptLink((await waitForMail(site, email, 1)).text);
  expect(await openReceipt(createVisitor(site), again)).toMatchObject({ confirmed: true });
  expect(await listMails(site, email)).toHaveLength(2);
  await walk(community, BOTH, "new versions");
  expect([await isBanned("scammer@example.test"), await receiptStatus(community)]).toEqual([true, 200]);
  // A device that remembers an account under the old key is recognized when the account is banned later.
  await ban(admin, other);
  const marks = await queryRows(site, "select mark from ban_mark where kind = 'device'");
  expect(marks.map(({ mark }) => mark)).toContain(used.slice("plain_used=".length));
  await report(early, await createMember(site));
  expect(
    (await queryRows(site, "select distinct key_version as version from legal_hold order by 1")).map(
      ({ version }) => version,
    ),
  ).toEqual([1, 2]);
  await early.send("PUT", "/api/profile-like", { likedProfileId: registered.id, blocked: true });
  expect(await queryRows(site, "select id from exposure_notice")).toEqual([]);
  await early.send("PUT", "/api/profile-like", { likedProfileId: registered.id, blocked: false });

  for (const cron of [HOURLY, NIGHTLY]) await site.runCron(cron);
  await walk(community, BOTH, "the jobs");
  expect(community.phone.key).toBe(FIRST.VAPID_PUBLIC_KEY);
  community = { ...community, phone: await subscribe(early, "renewed-phone") };
  expect(community.phone.key).toBe(SECOND.VAPID_PUBLIC_KEY);
  await walk(community, BOTH, "the renewed subscription");
  for (const { table, column, purpose, textOf } of RENEWED_COLUMNS) {
    const kind = textOf ? ` and kind = '${textOf}'` : "";
    const value = textOf ? column : `hex(${column})`;
    const rows = await queryRows(site, `select ${value} as value from ${table} where ${column} is not null${kind}`);
    expect(rows, `${table}.${column}`).not.toEqual([]);
    for (const row of rows) decrypt(NEW, purpose, Buffer.from(String(row.value), textOf ? "base64url" : "hex"));
  }

  // What was renewed needs the old version no more; what is only read ends with it.
  await startWith(NEW);
  await walk(community, NEW, "the old versions");
  expect([await isBanned("scammer@example.test"), await receiptStatus(community)]).toEqual([false, 404]);
  await queryRows(site, "delete from account where id = ?", other.id);
  expect(await isBanned("other@example.test")).toBe(true);
});
