import { PASSKEY_CHALLENGE_TTL_MS, PASSKEYS_MAX } from "@lambda/contract/limits";
import type { Passkey, PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import { type Deviations, makePasskey, signWith, type TestPasskey } from "@lambda/testing/authenticator";
import { createMember, type MemberOverrides, type TestMember } from "@lambda/testing/member";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";

const EMBER = "http://ember.localhost";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const sql = (query: string, ...values: (string | number)[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error?: { code: string } }).error?.code ?? `answered ${response.status}`;
}

async function creation(me: TestMember): Promise<PasskeyCreation> {
  const response = await me.send("POST", "/api/passkey/options");
  expect(response.status).toBe(200);
  return (await response.json()) as PasskeyCreation;
}

/** A member who just logged in, and their passkey. */
async function withPasskey(overrides: MemberOverrides = {}, made: Parameters<typeof makePasskey>[2] = {}) {
  const me = await createMember(worker, { freshProof: true, ...overrides });
  return { me, ...(await addTo(me, made)) };
}

async function addTo(me: TestMember, made: Parameters<typeof makePasskey>[2] = {}) {
  const { options } = await creation(me);
  const { passkey, attestation } = makePasskey(options, `http://${me.brand}.localhost`, made);
  const response = await me.send("POST", "/api/passkey", { attestation, name: "My phone" });
  expect(response.status).toBe(201);
  return { passkey, row: (await response.json()) as Passkey };
}

async function challenge(brand: "ember" | "harbor" = "ember"): Promise<string> {
  const response = await createVisitor(worker, brand).fetch("/api/auth/passkey");
  return ((await response.json()) as PasskeyRequest).challenge;
}

const send = (assertion: unknown) => createVisitor(worker).send("POST", "/api/auth/passkey", { assertion });

async function logIn(passkey: TestPasskey, deviations: Deviations = {}) {
  return send(signWith(passkey, await challenge(), deviations));
}

const cookieOf = (response: Response) =>
  /plain_session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";

describe("a passkey", () => {
  it("is added in a fresh session, announced by mail, and logs in with or without a counter", async () => {
    const { me, passkey, row } = await withPasskey();
    expect(row).toMatchObject({ name: "My phone", brand: "ember", worksHere: true, tsLastUsed: null, tsCloned: null });
    expect((await waitForMail(worker, me.email)).subject).toContain("passkey was added");
    const response = await logIn(passkey);
    expect([response.status, await response.json()]).toEqual([200, {}]);
    const session = await worker.fetch(`${EMBER}/api/settings`, { headers: { cookie: cookieOf(response) } });
    expect(await session.json()).toMatchObject({ defaultProfileId: me.id, fresh: true });
    const [listed] = await me.get<Passkey[]>("/api/passkeys");
    expect(listed?.tsLastUsed).not.toBeNull();
    const uncounted = await withPasskey({}, { counts: false });
    for (let use = 0; use < 2; use += 1) expect((await logIn(uncounted.passkey)).status).toBe(200);
  });

  it("is requested without naming anybody, and gives its device no identifier that others know", async () => {
    const { me } = await withPasskey();
    const response = await createVisitor(worker).fetch("/api/auth/passkey");
    const request = (await response.json()) as PasskeyRequest;
    expect(Object.keys(request).sort()).toEqual(["challenge", "rpId", "timeout", "userVerification"]);
    const { options, proposedName } = await creation(me);
    expect(options.user.id).toHaveLength(43);
    expect(options.excludeCredentials).toHaveLength(1);
    expect(options.rp).toEqual({ id: "ember.localhost", name: "Ember" });
    expect(proposedName).not.toBe("");
    expect((await creation(await createMember(worker, { freshProof: true }))).options.user.id).not.toBe(
      options.user.id,
    );
  });

  it("needs a fresh proof to be added or removed, and removing the last one locks nobody out", async () => {
    const { me, passkey, row } = await withPasskey();
    await sql("update session set ts_proved = 0 where account_id = ?", me.id);
    for (const [method, path, body] of [
      ["POST", "/api/passkey/options", undefined],
      [
        "POST",
        "/api/passkey",
        {
          attestation: makePasskey({ challenge: "AA", rp: { id: "x" }, user: { id: "AA" } }, EMBER).attestation,
        },
      ],
      ["DELETE", `/api/passkey/${row.id}`, undefined],
    ] as const) {
      expect(await codeOf(await me.send(method, path, body)), path).toBe("CONFIRMATION_NEEDED");
    }
    const proofResponse = await me.fetch("/api/proof/passkey");
    const request = (await proofResponse.json()) as PasskeyRequest;
    expect(request.allowCredentials).toEqual([{ id: passkey.id, type: "public-key", transports: ["internal"] }]);
    const proof = { assertion: signWith(passkey, request.challenge) };
    expect((await me.send("POST", "/api/proof/passkey", proof)).status).toBe(200);
    expect(await me.get("/api/proof")).toMatchObject({ passkey: true });
    expect((await me.send("PUT", `/api/passkey/${row.id}`, { name: "Old phone" })).status).toBe(200);
    expect((await me.send("DELETE", `/api/passkey/${row.id}`)).status).toBe(204);
    expect(await codeOf(await logIn(passkey))).toBe("PASSKEY_REFUSED");
    expect(await me.get("/api/proof")).toMatchObject({ passkey: false, email: me.email });
    const known = (await listMails(worker, me.email)).length;
    expect((await me.send("POST", "/api/proof/mail")).status).toBe(202);
    expect((await waitForMail(worker, me.email, known)).text).toContain("/login?token=");
  });

  it("works on one brand only, says so in the list, and is exported without its key", async () => {
    const { me, passkey } = await withPasskey({ sharedOn: 7 });
    const harbor = await me.onBrand("harbor");
    expect(await harbor.get<Passkey[]>("/api/passkeys")).toMatchObject([{ brand: "ember", worksHere: false }]);
    expect(await harbor.get("/api/proof")).toMatchObject({ passkey: false });
    for (const deviations of [{}, { origin: "http://harbor.localhost", rpId: "harbor.localhost" }]) {
      const assertion = signWith(passkey, await challenge("harbor"), deviations);
      const there = await createVisitor(worker, "harbor").send("POST", "/api/auth/passkey", { assertion });
      expect(await codeOf(there)).toBe("PASSKEY_REFUSED");
      expect(await codeOf(await send(assertion))).toBe("PASSKEY_REFUSED");
    }
    const zip = unzipSync(new Uint8Array(await (await me.send("POST", "/api/account/export")).arrayBuffer()));
    const data = strFromU8(zip["data.json"] ?? new Uint8Array());
    expect(JSON.parse(data)).toMatchObject({
      passkeys: [{ name: "My phone", brand: "ember", rpId: "ember.localhost" }],
    });
    expect(data).not.toContain(passkey.id);
  });
});

describe("a login is refused with the same response", () => {
  it.each<[string, Deviations]>([
    ["from another origin", { origin: "https://ember.example.evil" }],
    ["for another site", { rpId: "harbor.localhost" }],
    ["without the device being unlocked", { unverified: true }],
    ["from a frame of another site", { crossOrigin: true }],
    ["signed as a registration", { type: "webauthn.create" }],
    ["with another account's user handle", { userHandle: "A".repeat(43) }],
  ])("%s", async (_, deviations) => {
    const { passkey } = await withPasskey();
    const response = await logIn(passkey, deviations);
    expect([response.status, await codeOf(response), response.headers.get("set-cookie")]).toEqual([
      401,
      "PASSKEY_REFUSED",
      null,
    ]);
    expect((await logIn(passkey)).status).toBe(200);
  });

  it("with a challenge that was used, has expired, or was issued for something else", async () => {
    const { me, passkey } = await withPasskey();
    const assertion = signWith(passkey, await challenge());
    const both = await Promise.all([send(assertion), send(assertion)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    // Another spelling of the same bytes is the same challenge.
    const again = signWith(passkey, await challenge());
    expect((await send(again)).status).toBe(200);
    const { challenge: used } = JSON.parse(Buffer.from(again.response.clientDataJSON, "base64url").toString());
    expect(await codeOf(await send(signWith(passkey, `${used}=`)))).toBe("PASSKEY_REFUSED");

    const old = signWith(passkey, await challenge());
    const late = await createVisitor(worker).fetch("/api/auth/passkey", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-development-now": String(Date.now() + PASSKEY_CHALLENGE_TTL_MS),
      },
      body: JSON.stringify({ assertion: old }),
    });
    expect(await codeOf(late)).toBe("PASSKEY_REFUSED");

    const { options } = await creation(me);
    const proof = (await me.get<PasskeyRequest>("/api/proof/passkey")).challenge;
    for (const foreign of [options.challenge, proof, "AAAA", ""]) {
      expect(await codeOf(await send(signWith(passkey, foreign)))).toBe("PASSKEY_REFUSED");
    }
    expect((await logIn(passkey)).status).toBe(200);
  });

  it("with a signature by another key, and with malformed bytes", async () => {
    const [{ passkey }, other] = [await withPasskey(), await withPasskey()];
    const theirs = signWith(other.passkey, await challenge());
    expect(await codeOf(await send({ ...theirs, id: passkey.id, rawId: passkey.id }))).toBe("PASSKEY_REFUSED");
    const own = signWith(passkey, await challenge());
    const broken = { ...own, response: { ...own.response, authenticatorData: "AAAA" } };
    expect(await codeOf(await send(broken))).toBe("PASSKEY_REFUSED");
    for (const input of [{}, { ...own, type: "password" }, { ...own, id: "x".repeat(9000) }, { ...own, id: "<>" }]) {
      expect(await codeOf(await send(input))).toBe("BAD_INPUT");
    }
  });

  it("to a deleted, banned or locked-down account, and a ban deletes its passkeys", async () => {
    const { me, passkey } = await withPasskey();
    await sql("insert into lockdown (account_id, ts_until) values (?, ?)", me.id, Date.now() + 100_000);
    const locked = await logIn(passkey);
    expect([await codeOf(locked), locked.headers.get("set-cookie")]).toEqual(["PASSKEY_REFUSED", null]);
    await sql("delete from lockdown where account_id = ?", me.id);
    for (const status of ["deleted", "banned"]) {
      await sql("update account set ts_deleted = ? where id = ?", status === "deleted" ? Date.now() : 0, me.id);
      if (status === "banned") await sql("update account set ts_deleted = null where id = ?", me.id);
      await sql("update profile set status = ? where id = ?", status, me.id);
      expect(await codeOf(await logIn(passkey)), status).toBe("PASSKEY_REFUSED");
    }
    await sql("update profile set status = 'suspended' where id = ?", me.id);
    expect((await logIn(passkey)).status).toBe(200);
    await sql("update profile set status = 'active' where id = ?", me.id);
    const admin = await createMember(worker, { adminBrand: "ember", hidden: true });
    const ban = { subjectProfileId: me.id, kind: "ban", rule: "scam", reason: "Asked three members for money" };
    expect((await admin.send("POST", "/api/admin/action", ban)).status).toBe(201);
    const left = await worker.env.DB.prepare("select 1 from passkey where account_id = ?").bind(me.id).all();
    expect(left.results).toEqual([]);
  });
});

describe("a copied passkey", () => {
  it("is disabled for both devices, and its owner is notified by mail and in the list", async () => {
    const { me, passkey, row } = await withPasskey();
    const copy: TestPasskey = { ...passkey };
    expect((await logIn(passkey)).status).toBe(200);
    expect((await logIn(passkey)).status).toBe(200);
    const known = (await listMails(worker, me.email)).length;
    const response = await logIn(copy);
    expect([response.status, await codeOf(response), response.headers.get("set-cookie")]).toEqual([
      401,
      "PASSKEY_REFUSED",
      null,
    ]);
    expect(await codeOf(await logIn(passkey))).toBe("PASSKEY_REFUSED");
    expect((await waitForMail(worker, me.email, known)).text).toContain('"My phone"');
    await expect
      .poll(() => me.get(`/api/notifications/${me.id}`))
      .toMatchObject([{ kind: "security", url: "/settings#passkeys" }]);
    const [listed] = await me.get<Passkey[]>("/api/passkeys");
    expect(listed).toMatchObject({ id: row.id, worksHere: false });
    expect(listed?.tsCloned).not.toBeNull();
    expect(await me.get("/api/proof")).toMatchObject({ passkey: false });
  });

  it("is not assumed from a forged response by somebody who only knows its id", async () => {
    const { passkey } = await withPasskey();
    const forged = signWith(passkey, await challenge(), { counter: 0 });
    forged.response.signature = Buffer.from("30060201010201ff", "hex").toString("base64url");
    expect(await codeOf(await send(forged))).toBe("PASSKEY_REFUSED");
    expect((await logIn(passkey)).status).toBe(200);
  });
});

describe("adding a passkey", () => {
  it.each<[string, Deviations]>([
    ["made on another origin", { origin: "https://evil.example" }],
    ["made for another site", { rpId: "evil.example" }],
    ["made on a device that was not unlocked", { unverified: true }],
    [
      "with certificates, which name addresses to fetch",
      { attestation: { format: "packed", statement: new Map([["x5c", [new Uint8Array(9)]]]) } },
    ],
    ["with another attestation", { attestation: { format: "tpm", statement: new Map() } }],
  ])("rejects one %s", async (_, deviations) => {
    const me = await createMember(worker, { freshProof: true });
    const { options } = await creation(me);
    const { attestation } = makePasskey(options, EMBER, deviations);
    const response = await me.send("POST", "/api/passkey", { attestation });
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "attestation" } });
  });

  it("accepts only an unused challenge of this session, and each passkey once", async () => {
    const [me, other] = await Promise.all([
      createMember(worker, { freshProof: true }),
      createMember(worker, { freshProof: true }),
    ]);
    const { options } = await creation(me);
    const { attestation } = makePasskey(options, EMBER);
    expect(await codeOf(await other.send("POST", "/api/passkey", { attestation }))).toBe("BAD_INPUT");
    expect((await me.send("POST", "/api/passkey", { attestation })).status).toBe(201);
    expect(await codeOf(await me.send("POST", "/api/passkey", { attestation }))).toBe("BAD_INPUT");
    const login = makePasskey({ ...options, challenge: await challenge() }, EMBER);
    expect(await codeOf(await me.send("POST", "/api/passkey", { attestation: login.attestation }))).toBe("BAD_INPUT");
  });

  it("is limited in number, and needs a valid name", async () => {
    const { me, row } = await withPasskey();
    for (const name of ["", "  ", "x".repeat(61)]) {
      expect((await me.send("PUT", `/api/passkey/${row.id}`, { name })).status).toBe(400);
    }
    await sql(
      `insert into passkey (account_id, credential_id, public_key, counter, backed_up, brand, rp_id, name, ts_created)
       select ?, 'full-' || value, x'00', 0, 0, 'ember', 'ember.localhost', 'Full', 0 from json_each('[${Array.from({ length: PASSKEYS_MAX - 1 }, (_, at) => at)}]')`,
      me.id,
    );
    const { options } = await creation(me);
    const { attestation } = makePasskey(options, EMBER);
    const full = await me.send("POST", "/api/passkey", { attestation });
    expect(await full.json()).toMatchObject({ error: { code: "BAD_INPUT", message: expect.stringContaining("room") } });
  });

  it("rejects a proof with another member's passkey", async () => {
    const [{ me }, other] = [await withPasskey(), await withPasskey()];
    await sql("update session set ts_proved = 0 where account_id = ?", me.id);
    const { challenge: text } = await me.get<PasskeyRequest>("/api/proof/passkey");
    const assertion = signWith(other.passkey, text);
    expect(await codeOf(await me.send("POST", "/api/proof/passkey", { assertion }))).toBe("PASSKEY_REFUSED");
    expect(await me.get("/api/settings")).toMatchObject({ fresh: false });
  });
});
