/**
 * Uses a deployed site as a member does: two throwaway members, whom nobody else sees, log in, report a position, store and read a
 * picture, subscribe a device, and write to each other, which pushes to that device. Afterwards they are deleted, and the hourly job
 * erases them.
 */
import { createECDH, randomBytes } from "node:crypto";
import type { Brand } from "@lambda/brands";
import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import type { PushSubscriptionDraft } from "@lambda/contract/push";
import { quickHash } from "@lambda/testing/password";
import { makePng } from "@lambda/testing/png";
import { listBrands, listOrigins, type SiteFile } from "../deployment/site-file.ts";
import { deleteStatements } from "../member-requests.ts";
import type { RunStatement } from "../migration.ts";
import { undoOnStop } from "../say-failures.ts";
import { fetchPatiently } from "./smoke.ts";
import { remoteRunner, type Target } from "./target.ts";

export interface MemberCheckOptions {
  /** `https://host` of the brand. */
  readonly origin: string;
  readonly brand: Pick<Brand, "id" | "bit">;
  /** The main database. */
  readonly run: RunStatement;
  /** For all requests, such as the one that selects a version. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gets the push instead of a device that no push service knows. */
  readonly device?: PushSubscriptionDraft;
  /** Delay between attempts to log in, and between looks at the push. */
  readonly retryDelayMs?: number;
  say(line: string): void;
}

/** Addresses of throwaway members; `.invalid` never gets mail (RFC 2606). */
const DOMAIN = "throwaway.invalid";
/** A replica of the database may not have the members at once. */
const LOGIN_ATTEMPTS_MAX = 10;
const RETRY_DELAY_MS = 2_000;
const PUSH_LOOKS_MAX = 40;
const PUSH_LOOK_MS = 500;

interface Throwaway {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** Checks the first brand of a site. */
export function useAsMember(
  target: Pick<Target, "account" | "databaseId"> & { readonly site: SiteFile },
  headers: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<void> {
  const [brand] = listBrands(target.site);
  const [origin = ""] = listOrigins(target.site);
  return checkAsMember({ origin, brand, run: remoteRunner(target), headers, say });
}

/** Throws an error that names what did not work. */
export const checkAsMember = (it: MemberCheckOptions) => undoOnStop(() => walkMainPath(it));

async function walkMainPath(it: MemberCheckOptions): Promise<void> {
  try {
    const [one, other] = await insertMembers(it);
    const [first, second] = [await logIn(it, one), await logIn(it, other)];
    await checkPosition(first, one.id);
    await checkPicture(first, one.id, it.say);
    const endpoint = await subscribeToPush(second, it.device ?? makeDevice());
    await checkMessage(first, second, one.id, other.id);
    await checkPush(it, second, endpoint);
  } finally {
    await deleteMembers(it.run);
  }
}

/** Both are discreet and like each other, so nobody else sees them. */
async function insertMembers({ run, brand }: MemberCheckOptions): Promise<[Throwaway, Throwaway]> {
  const now = Date.now();
  const insert = async (name: string): Promise<Throwaway> => {
    const [email, password] = [`${randomBytes(8).toString("hex")}@${DOMAIN}`, randomBytes(24).toString("base64url")];
    await run(`INSERT INTO account (email, name, password_hash, home_brand, acknowledgements, ts_sharing_chosen, ts_created, is_test)
      VALUES ('${email}', '${name}', '${quickHash(password)}', '${brand.id}', 'cookies; adult; geolocation', ${now}, ${now}, 1)`);
    const [row] = await run(`SELECT id FROM account WHERE email = '${email}'`);
    const id = Number(row?.id);
    await run(`INSERT INTO profile (id, profile_name, birthdate, shared_on, discreet_on, random_order, ts_seen, ts_updated)
      VALUES (${id}, '${name}', '1990-05-17', 0, ${brand.bit}, 0, ${now}, ${now})`);
    return { id, email, password };
  };
  const [one, other] = [await insert("Throwaway"), await insert("Second throwaway")];
  await run(`INSERT INTO profile_like (liker_id, liked_id, like_type, ts_created)
    VALUES (${one.id}, ${other.id}, 'LIKE', ${now}), (${other.id}, ${one.id}, 'LIKE', ${now})`);
  return [one, other];
}

/** Those of an interrupted check too. The grace period is over at once, so that the hourly job erases them with their objects. */
async function deleteMembers(run: RunStatement): Promise<void> {
  const rows = await run(
    `SELECT id FROM account WHERE email GLOB '*@${DOMAIN}' AND is_test = 1 AND ts_deleted IS NULL`,
  );
  const at = Date.now() - ACCOUNT_DELETION_GRACE_MS - 1;
  for (const { id } of rows) for (const statement of deleteStatements(Number(id), at)) await run(statement);
}

type Send = (method: string, path: string, body?: FormData | object) => Promise<Response>;

function sender({ origin, headers = {} }: MemberCheckOptions, cookie: string): Send {
  return (method, path, body) =>
    fetchPatiently(`${origin}${path}`, {
      method,
      headers: {
        ...headers,
        origin,
        ...(cookie && { cookie }),
        ...(body && !(body instanceof FormData) && { "content-type": "application/json" }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
}

async function logIn(it: MemberCheckOptions, { email, password }: Throwaway): Promise<Send> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sender(it, "")("POST", "/api/auth", { username: email, password });
    const cookie = /(?:__Host-|plain_)session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0];
    if (response.ok && cookie) return sender(it, cookie);
    if (attempt === LOGIN_ATTEMPTS_MAX)
      throw new Error(`A throwaway member cannot log in: ${await describe(response)}`);
    await new Promise((resolve) => setTimeout(resolve, it.retryDelayMs ?? RETRY_DELAY_MS));
  }
}

async function expectOk(what: string, response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`A throwaway member cannot ${what}: ${await describe(response)}`);
  return response;
}

const describe = async (response: Response) =>
  `it answered ${response.status} ${(await response.text()).slice(0, 200)}`;

async function checkPosition(send: Send, id: number): Promise<void> {
  const path = `/api/profile-position/${id}`;
  // In the South Atlantic, far from every member.
  const body = { use: "OVERRIDE", precision: "city", overrideLat: -30.5, overrideLon: -20.5 };
  await expectOk("report a position", await send("PUT", path, body));
  const stored = await (await expectOk("read a position", await send("GET", path))).text();
  if (!stored.includes("OVERRIDE")) throw new Error("The reported position of a throwaway member was not stored.");
}

async function checkPicture(send: Send, id: number, say: MemberCheckOptions["say"]): Promise<void> {
  const form = new FormData();
  form.set("authorProfileId", String(id));
  form.set("picfile", new File([Uint8Array.from(makePng(40, 50))], "throwaway.png", { type: "image/png" }));
  form.set("picfilename", "throwaway.png");
  const answer = await send("POST", "/api/profile-pic", form);
  // Of the plan or the day; a deployment must not depend on it.
  if (answer.status === 503)
    return say(`Note: no picture can be uploaded now (docs/OPERATIONS.md, Alert: images): ${await answer.text()}`);
  const uploaded = await expectOk("upload a picture", answer);
  const picture = (await uploaded.json()) as { id: number };
  const read = await expectOk("read a picture", await send("GET", `/api/profile-pic/${picture.id}?scale_x=256`));
  if (!read.headers.get("content-type")?.startsWith("image/")) throw new Error("A picture was read as another type.");
}

function makeDevice(): PushSubscriptionDraft {
  return {
    deviceName: "Throwaway",
    endpoint: `https://fcm.googleapis.com/fcm/send/throwaway-${randomBytes(16).toString("hex")}`,
    auth_base64: randomBytes(16).toString("base64url"),
    p256dh_base64: createECDH("prime256v1").generateKeys("base64url"),
  };
}

async function subscribeToPush(send: Send, device: PushSubscriptionDraft): Promise<string> {
  await expectOk("subscribe to push", await send("POST", "/api/push-subscription", device));
  if (!(await listDevices(send)).includes(device.endpoint)) throw new Error("A push subscription was not stored.");
  return device.endpoint;
}

const listDevices = async (send: Send) =>
  (await expectOk("list devices", await send("GET", "/api/push-subscriptions"))).text();

/** The message's push passed the queue, and the push service answered that it knows no such device, which ends the subscription. */
async function checkPush({ say, retryDelayMs = PUSH_LOOK_MS }: MemberCheckOptions, send: Send, endpoint: string) {
  for (let look = 1; (await listDevices(send)).includes(endpoint); look += 1) {
    // The version of before may handle the queue, and a push service may be down; a deployment must not depend on it.
    if (look === PUSH_LOOKS_MAX)
      return say("Note: the test's push did not reach the push service (docs/OPERATIONS.md, Alert: queue).");
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}

async function checkMessage(from: Send, to: Send, fromId: number, toId: number): Promise<void> {
  const bodyText = `Throwaway ${randomBytes(8).toString("hex")}`;
  await expectOk("write a message", await from("POST", "/api/message", { recipientProfileId: toId, bodyText }));
  const path = `/api/messages/between/${toId}/${fromId}`;
  const read = await (await expectOk("read messages", await to("GET", path))).text();
  if (!read.includes(bodyText)) throw new Error("A message of a throwaway member did not arrive.");
}
