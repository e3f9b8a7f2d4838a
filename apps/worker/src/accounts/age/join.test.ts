import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { postToken, requestAgeProof, signWithWallet } from "@lambda/testing/age";
import { configuredWorker } from "@lambda/testing/harness";
import { createVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ageCopy } from "./copy.ts";

const row = (place: string, join: string) => ({
  place,
  join,
  seeExplicit: "proof",
  source: "A test",
  date: "2026-11-22",
});

let worker: TestWorker;
let provider: Server;
/** The claims that the operator's age provider makes about its user. */
let providerClaims: Record<string, unknown> = {};
let nonce = "";

async function startProvider(): Promise<string> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const jwk = { ...(await crypto.subtle.exportKey("jwk", pair.publicKey)), kid: "1", alg: "ES256", use: "sig" };
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  provider = createServer(async (request, response) => {
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: "the-site", iat: now, exp: now + 60, nonce, sub: "somebody", ...providerClaims };
    const signed = `${base64({ alg: "ES256", kid: "1" })}.${base64(claims)}`;
    const signature = await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      pair.privateKey,
      Buffer.from(signed),
    );
    const answers: Record<string, object> = {
      "/.well-known/openid-configuration": {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["ES256"],
      },
      "/keys": { keys: [jwk] },
      "/token": {
        access_token: "x",
        token_type: "bearer",
        id_token: `${signed}.${Buffer.from(signature).toString("base64url")}`,
      },
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[request.url ?? ""] ?? {}));
  });
  await new Promise<void>((done) => provider.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const issuer = await startProvider();
  const vars = {
    AGE_POLICY: JSON.stringify([row("FR", "proof"), row("XX", "closed")]),
    AGE_OIDC: JSON.stringify({ name: "Age & Co", issuer, clientId: "the-site", claim: "over18" }),
  };
  worker = await startSeparateWorker([{ ...configuredWorker(), vars }]);
});
afterAll(async () => {
  await worker.close();
  provider.close();
});

/** A visitor's browser in a place. It keeps its cookies. */
function visitorIn(place: string): TestVisitor {
  const visitor = createVisitor(worker);
  const jar = new Map<string, string>();
  const fetch: TestVisitor["fetch"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-development-place", place);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await visitor.fetch(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const send: TestVisitor["send"] = (method, path, body) =>
    fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
  return { fetch, send };
}

const register = (visitor: TestVisitor, email: string, locale = "en") =>
  visitor.send("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation", locale });
async function openLink(visitor: TestVisitor, email: string): Promise<Response> {
  const { text } = await waitForMail(worker, email);
  const token = /token=([\w-]+)/.exec(text)?.[1];
  return visitor.send("POST", "/api/auth/token", { token, confirmed: true });
}
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

describe("where joining needs a proof of age", () => {
  it("requires the proof first and then moves it to the new account", async () => {
    const visitor = visitorIn("FR");
    expect(await codeOf(await register(visitor, "first@example.test"))).toEqual([403, "AGE_PROOF_NEEDED"]);
    const request = await requestAgeProof(visitor);
    const { token } = await signWithWallet(visitor, request);
    expect((await postToken(visitor, request, token)).status).toBe(200);
    expect(await (await visitor.fetch(`/api/age/request/${request.state}`)).json()).toMatchObject({
      outcome: "proved",
    });
    expect(await (await visitor.fetch("/api/age")).json()).toMatchObject({ join: "proof", proved: true });

    expect((await register(visitor, "first@example.test")).status).toBe(202);
    // The mail may be opened on another device.
    const phone = visitorIn("FR");
    expect((await openLink(phone, "first@example.test")).status).toBe(200);
    expect(await (await phone.fetch("/api/age")).json()).toMatchObject({ proved: true, proof: { method: "eu-av" } });
    // It opened one account, and is used up.
    expect(await codeOf(await register(visitor, "second@example.test"))).toEqual([403, "AGE_PROOF_NEEDED"]);
    expect((await register(phone, "first@example.test")).status).toBe(202);
  });

  it("creates no account from a link that was requested elsewhere", async () => {
    expect((await register(visitorIn("DE"), "elsewhere@example.test")).status).toBe(202);
    const there = visitorIn("FR");
    expect(await codeOf(await openLink(there, "elsewhere@example.test"))).toEqual([403, "AGE_PROOF_NEEDED"]);
    expect((await openLink(visitorIn("DE"), "elsewhere@example.test")).status).toBe(200);
  });

  it("accepts the operator's provider, once for each of its accounts", async () => {
    const tryJoin = async (email: string, claims: Record<string, unknown>, redirectQuery?: string) => {
      const visitor = visitorIn("FR");
      const request = await requestAgeProof(visitor, "oidc");
      const query = new URL(request.link).searchParams;
      expect(query.get("code_challenge_method")).toBe("S256");
      nonce = query.get("nonce") ?? "";
      providerClaims = claims;
      const response = redirectQuery ?? new URLSearchParams({ code: "c", state: request.state }).toString();
      const done = await visitor.send("POST", `/api/age/request/${request.state}`, { response });
      const { outcome } = (await done.json()) as { outcome: string };
      return [outcome, (await register(visitor, email)).status];
    };
    expect(await tryJoin("a@example.test", { over18: true })).toEqual(["proved", 202]);
    expect(await tryJoin("b@example.test", { over18: true })).toEqual(["used-before", 403]);
    expect(await tryJoin("b@example.test", { over18: false, sub: "b" })).toEqual(["not-over-18", 403]);
    expect(await tryJoin("b@example.test", { over18: "true", sub: "b" })).toEqual(["not-over-18", 403]);
    expect(await tryJoin("b@example.test", { over18: true, sub: "b", nonce: "another" })).toEqual(["tampered", 403]);
    expect(await tryJoin("b@example.test", { over18: true, sub: "b", aud: "elsewhere" })).toEqual(["tampered", 403]);
    expect(await tryJoin("b@example.test", {}, "error=access_denied")).toEqual(["declined", 403]);
    expect(await tryJoin("b@example.test", {}, "code=c&state=another")).toEqual(["tampered", 403]);
  });
});

describe("where nobody may join", () => {
  it("shows a page that says why in the browser's language, and keeps the required pages open", async () => {
    const visitor = visitorIn("XX");
    const page = await visitor.fetch("/", { headers: { "accept-language": "es-MX,en;q=0.5" } });
    expect(page.status).toBe(451);
    const html = await page.text();
    expect(html).toContain('lang="es"');
    expect(html).toContain("Ember no está abierto donde estás");
    // The contact page is for members; these two work without an account.
    for (const path of ["/support", "/legalnotice"]) expect(html).toContain(`href="${path}"`);
    expect(html).not.toContain("/contactus");
    expect(html).not.toMatch(/<script|vpn|proxy|tor\b/i);
    expect(page.headers.get("content-security-policy")).toMatch(/style-src 'self' 'sha256-/);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect((await visitor.fetch("/register")).status).toBe(451);
    for (const path of [
      "/login",
      "/tos",
      "/remove-image",
      "/notice",
      "/notice/abc",
      "/contactus",
      "/aboutus",
      "/support",
      "/legalnotice",
      "/safety",
    ]) {
      expect([path, (await visitor.fetch(path)).status === 451]).toEqual([path, false]);
    }
    expect((await visitorIn("DE").fetch("/")).status).not.toBe(451);
  });

  it("rejects registration over the API, and links that were requested elsewhere", async () => {
    const visitor = visitorIn("XX");
    expect(await codeOf(await register(visitor, "closed@example.test"))).toEqual([451, "CLOSED_HERE"]);
    expect((await register(visitorIn("DE"), "closed@example.test")).status).toBe(202);
    expect(await codeOf(await openLink(visitor, "closed@example.test"))).toEqual([451, "CLOSED_HERE"]);
    // In the language of the request.
    expect((await register(visitorIn("DE"), "cerrado@example.test", "es")).status).toBe(202);
    expect(await (await openLink(visitor, "cerrado@example.test")).text()).toContain(ageCopy.es.closedWhy("Ember"));
  });
});
