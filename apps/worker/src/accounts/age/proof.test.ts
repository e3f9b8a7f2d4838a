import type { AgeStatus } from "@lambda/contract/age";
import { AGE_REQUEST_TTL_MS } from "@lambda/contract/limits";
import {
  type Attestation,
  postToken,
  proveAge,
  requestAgeProof,
  signWalletRequest,
  signWithWallet,
  type WalletOptions,
} from "@lambda/testing/age";
import { createMember, type TestMember } from "@lambda/testing/member";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
let member: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  member = await createMember(worker);
});

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
const status = (asker: TestMember) => asker.get<AgeStatus>("/api/age");
async function reasonOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; reason?: string } };
  return [response.status, error.code, error.reason];
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** The same attestation with the other valid form of its issuer's signature, with which it ends. */
function withTwinSignature({ issued, deviceKey }: Attestation): Attestation {
  const bytes = Buffer.from(issued, "base64url");
  expect(bytes.subarray(-66, -64).toString("hex")).toBe("5840");
  const twin = P256_ORDER - BigInt(`0x${bytes.subarray(-32).toString("hex")}`);
  bytes.write(twin.toString(16).padStart(64, "0"), bytes.length - 32, "hex");
  return { issued: bytes.toString("base64url"), deviceKey };
}

describe("a proof of age", () => {
  it("requests nothing but age_over_18, and is bound to this request", async () => {
    const { link, digitalCredential, qr } = await requestAgeProof(member);
    expect(link).toMatch(/^av:\/\/\?/);
    const query = Object.fromEntries(new URLSearchParams(link.slice(6)));
    expect(query).toMatchObject({ response_type: "vp_token", response_mode: "direct_post" });
    expect(query.client_id).toBe(`redirect_uri:${query.response_uri}`);
    const expectedQuery = {
      credentials: [
        {
          id: "proof_of_age",
          format: "mso_mdoc",
          meta: { doctype_value: "eu.europa.ec.av.1" },
          claims: [{ path: ["eu.europa.ec.av.1", "age_over_18"], intent_to_retain: false }],
        },
      ],
    };
    expect(JSON.parse(query.dcql_query ?? "")).toEqual(expectedQuery);
    const [request] = (digitalCredential as { requests: { protocol: string; data: object }[] }).requests;
    expect(request?.protocol).toBe("openid4vp-v1-unsigned");
    expect(request?.data).toMatchObject({ response_mode: "dc_api", nonce: query.nonce, dcql_query: expectedQuery });
    expect(qr.length).toBeGreaterThan(40);
    expect(new Set(qr.map((row) => row.length))).toEqual(new Set([qr.length]));
  });

  it("posted by a wallet is stored with only the day, the method and the policy", async () => {
    const prover = await createMember(worker);
    await proveAge(prover);
    const { proof, proved } = await status(prover);
    expect(proved).toBe(true);
    expect(proof).toMatchObject({ method: "eu-av", day: new Date().toISOString().slice(0, 10) });
    const { results } = await worker.env.DB.prepare("select * from age_proof where account_id = ?")
      .bind(prover.id)
      .all();
    expect(Object.keys(results[0] ?? {})).toEqual(["account_id", "method", "day", "policy", "attestation_hash"]);
  });

  it("submitted by the browser is bound to this origin", async () => {
    const prover = await createMember(worker);
    const request = await requestAgeProof(prover);
    const nonce = new URLSearchParams(request.link.slice(6)).get("nonce");
    const foreign = await signWalletRequest(prover, { origin: "https://elsewhere.example", nonce });
    const refused = await prover.send("POST", `/api/age/request/${request.state}`, { response: foreign.token });
    expect(await refused.json()).toEqual({ outcome: "tampered", expired: false });

    const second = await requestAgeProof(prover);
    const right = { origin: "http://ember.localhost", nonce: new URLSearchParams(second.link.slice(6)).get("nonce") };
    const { token } = await signWalletRequest(prover, right);
    const accepted = await prover.send("POST", `/api/age/request/${second.state}`, { response: token });
    expect(await accepted.json()).toEqual({ outcome: "proved", expired: false });
    expect((await status(prover)).proved).toBe(true);
  });

  it("works with a mobile driving licence", async () => {
    const prover = await createMember(worker);
    const request = await requestAgeProof(prover, "mdl");
    expect(request.link).toMatch(/^mdoc-openid4vp:/);
    const issue = { docType: "org.iso.18013.5.1.mDL", namespace: "org.iso.18013.5.1" };
    const { token } = await signWithWallet(prover, request, { issue });
    expect((await postToken(prover, request, token)).status).toBe(200);
    expect((await status(prover)).proof?.method).toBe("mdl");
  });

  it("proves one account's age: a second account is refused and learns nothing about the first", async () => {
    const [first, second] = [await createMember(worker), await createMember(worker)];
    const attestation = await proveAge(first);
    const request = await requestAgeProof(second);
    const { token } = await signWithWallet(second, request, { attestation });
    const refused = await postToken(second, request, token);
    expect(await reasonOf(refused)).toEqual([400, "AGE_PROOF_REFUSED", "used-before"]);
    const again = await requestAgeProof(second);
    const twin = await signWithWallet(second, again, { attestation: withTwinSignature(attestation) });
    expect(await reasonOf(await postToken(second, again, twin.token))).toEqual([
      400,
      "AGE_PROOF_REFUSED",
      "used-before",
    ]);
    expect((await status(second)).proved).toBe(false);
    // The same member may present it again.
    await proveAge(first, { attestation });

    expect((await first.send("DELETE", "/api/age")).headers.get("clear-site-data")).toBe('"cache"');
    expect((await status(first)).proof).toBeNull();
    await proveAge(second, { attestation });
  });

  it("is valid on all brands", async () => {
    const prover = await createMember(worker, { sharedOn: 7 });
    await proveAge(prover);
    expect((await status(await prover.onBrand("harbor"))).proved).toBe(true);
  });

  it("is deleted with the account", async () => {
    const deleted = await createMember(worker);
    await proveAge(deleted);
    await requestAgeProof(deleted);
    await worker.env.DB.prepare("delete from account where id = ?").bind(deleted.id).run();
    for (const table of ["age_proof", "age_request"]) {
      const { results } = await worker.env.DB.prepare(`select 1 from ${table} where account_id = ?`)
        .bind(deleted.id)
        .all();
      expect(results).toEqual([]);
    }
  });
});

describe("an invalid proof", () => {
  it.each<[string, string, WalletOptions]>([
    ["from an unknown issuer with the trusted one's name", "unknown-issuer", { issue: { signer: "stranger" } }],
    ["from a signer with an expired certificate", "unknown-issuer", { issue: { signer: "expired" } }],
    ["that has expired", "not-valid-now", { issue: { validFrom: day(-90), validUntil: day(-1) } }],
    ["that is not valid yet", "not-valid-now", { issue: { validFrom: day(1) } }],
    ["of another document type", "wrong-document", { issue: { docType: "org.iso.18013.5.1.mDL" } }],
    [
      "of another document type presented as this one",
      "wrong-document",
      {
        issue: { docType: "eu.europa.ec.eudi.pid.1" },
        present: { docType: "eu.europa.ec.av.1" },
      },
    ],
    ["of somebody under 18", "not-over-18", { issue: { claims: { age_over_18: false } } }],
    ["whose claim is text instead of a boolean", "not-over-18", { issue: { claims: { age_over_18: "true" } } }],
    ["with another claim", "too-much", { issue: { claims: { age_over_16: true } } }],
    [
      "with more than the requested claim",
      "too-much",
      { issue: { claims: { age_over_18: true, age_birth_year: 1980 } } },
    ],
  ])("%s is rejected", async (_, reason, order) => {
    const request = await requestAgeProof(member);
    const { token } = await signWithWallet(member, request, order);
    expect(await reasonOf(await postToken(member, request, token))).toEqual([400, "AGE_PROOF_REFUSED", reason]);
    const progress = await member.get(`/api/age/request/${request.state}`);
    expect(progress).toEqual({ outcome: reason, expired: false });
    expect((await status(member)).proved).toBe(false);
  });

  it("is rejected when it is replayed, expired, or meant for another request or brand", async () => {
    const prover = await createMember(worker, { sharedOn: 7 });
    const request = await requestAgeProof(prover);
    const { token, attestation } = await signWithWallet(prover, request);
    const other = await requestAgeProof(await createMember(worker));
    expect(await reasonOf(await postToken(prover, other, token))).toEqual([400, "AGE_PROOF_REFUSED", "tampered"]);

    const path = new URL(new URLSearchParams(request.link.slice(6)).get("response_uri") ?? "").pathname;
    const body = new URLSearchParams({ vp_token: token }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const late = { "x-development-now": String(Date.now() + AGE_REQUEST_TTL_MS + 1000) };
    const lateResponse = await prover.fetch(path, { method: "POST", headers: { ...headers, ...late }, body });
    expect(lateResponse.status).toBe(404);
    const elsewhere = await createVisitor(worker, "harbor").fetch(path, { method: "POST", headers, body });
    expect(elsewhere.status).toBe(404);

    expect((await postToken(prover, request, token)).status).toBe(200);
    expect((await postToken(prover, request, token)).status).toBe(404);
    // One of two concurrent responses is accepted.
    const concurrent = await requestAgeProof(prover);
    const concurrentAnswer = await signWithWallet(prover, concurrent, { attestation });
    const both = await Promise.all([
      postToken(prover, concurrent, concurrentAnswer.token),
      postToken(prover, concurrent, concurrentAnswer.token),
    ]);
    expect(both.map((response) => response.status).sort()).toEqual([200, 404]);
  });

  it("is rejected if a bit was changed in transit", async () => {
    const { attestation } = await signWalletRequest(member, { origin: "x", nonce: "y" });
    for (const part of [0.2, 0.55, 0.75, 0.97]) {
      const request = await requestAgeProof(member);
      const { token } = await signWithWallet(member, request, { attestation });
      const [presentation = ""] = (JSON.parse(token) as { proof_of_age: string[] }).proof_of_age;
      const bytes = Buffer.from(presentation, "base64url");
      const at = Math.floor(bytes.length * part);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const changed = JSON.stringify({ proof_of_age: [bytes.toString("base64url")] });
      const [code, name] = await reasonOf(await postToken(member, request, changed));
      expect([part, code, name]).toEqual([part, 400, "AGE_PROOF_REFUSED"]);
    }
    expect((await status(member)).proved).toBe(false);
  });

  it("is rejected without a server error if it is malformed or huge", async () => {
    const deep = Buffer.alloc(20_000, 0x81).toString("base64url");
    const tokens = [
      "",
      "x",
      "{",
      "{}",
      '{"proof_of_age":[]}',
      '{"proof_of_age":[1,2]}',
      '{"proof_of_age":{"a":1}}',
      "!!!",
      "oA",
      deep,
    ];
    for (const token of tokens) {
      const request = await requestAgeProof(member);
      expect([token.slice(0, 20), ...(await reasonOf(await postToken(member, request, token)))]).toEqual([
        token.slice(0, 20),
        400,
        "AGE_PROOF_REFUSED",
        "malformed",
      ]);
    }
    const request = await requestAgeProof(member);
    expect((await postToken(member, request, "x".repeat(60_000))).status).toBe(413);
    const path = `/api/age/answer/${request.state}`;
    expect((await member.fetch(path, { method: "POST", body: "{}" })).status).toBe(415);
    expect((await member.fetch(`/api/age/answer/${"x".repeat(300)}`, { method: "POST", body: "" })).status).toBe(404);
    expect((await worker.fetch(path)).status).toBe(404);
  });

  it("is rejected for somebody else's request", async () => {
    const other = await createMember(worker);
    const request = await requestAgeProof(other);
    expect((await member.fetch(`/api/age/request/${request.state}`)).status).toBe(404);
    expect((await member.send("POST", `/api/age/request/${request.state}`, { response: "x" })).status).toBe(404);
    expect((await createVisitor(worker).fetch(`/api/age/request/${request.state}`)).status).toBe(404);
    // Its holder can still respond to it.
    const { token } = await signWithWallet(other, request);
    expect((await postToken(other, request, token)).status).toBe(200);
  });

  it("keeps the messages of other validation errors", async () => {
    const response = await member.send("POST", "/api/age/request", { method: "crystal-ball" });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe("method: is not one of the possible values");
    expect((await member.send("POST", "/api/age/request", { method: "oidc" })).status).toBe(404);
  });
});
