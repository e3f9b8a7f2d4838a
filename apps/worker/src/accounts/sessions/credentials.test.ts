/** Plays the table of docs/SECURITY.md that says what ends each credential. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import { makePasskey, signWith } from "@lambda/testing/authenticator";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { ROOT } from "@lambda/testing/site";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";
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
  "deletion, and return": async (me) => {
    await json(me.send("POST", "/api/account/deletion", {}));
    await run("update account set ts_deleted = null where id = ?", me.id);
    await run("update profile set status = 'active' where id = ?", me.id);
  },
};

/** The rows of the table, by credential and act. */
function readTable(): { acts: string[]; rows: Map<string, string[]> } {
  const text = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const section = text.split("### What lets somebody in, and what ends it")[1]?.split("\n#")[0] ?? "";
  const [head = [], , ...body] = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return { acts: head.slice(3), rows: new Map(body.map(([name = "", , , ...cells]) => [name, cells])) };
}

it("lists every credential and act that is played here", () => {
  const { acts, rows } = readTable();
  expect(acts).toEqual(Object.keys(ACTS));
  expect([...rows.keys()].sort()).toEqual(Object.keys(CREDENTIALS).sort());
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
