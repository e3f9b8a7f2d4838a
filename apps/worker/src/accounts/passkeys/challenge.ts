/**
 * Challenges that passkeys sign. A challenge carries its purpose and expiry under a server key, so that strangers who
 * request many store nothing here; only a signed one is remembered, until it expires.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { PASSKEY_CHALLENGE_TTL_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { originOf } from "../../platform/http/address.ts";
import { mac } from "../../platform/keys.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";

/**
 * The site that a passkey is for: each brand has its own, identified by its host
 * (docs/decisions/2026-11-22-one-passkey-per-brand.md).
 */
interface RelyingParty {
  /** The host that browsers bind a passkey to. */
  readonly rpId: string;
  /** Origin that the page asking for a signature must have. */
  readonly origin: string;
}

/** In production it depends on nothing in the request. On a developer's machine it is the requested address. */
export function relyingParty({ brand, request }: Pick<Context, "brand" | "request">): RelyingParty {
  const url = new URL(__DEVELOPMENT__ ? request.url : originOf(brand));
  return { rpId: url.hostname, origin: url.origin };
}

/** What a signature is valid for: only this action, on this site, and for the session that asked, if any. */
export interface Purpose {
  readonly kind: "login" | "add" | "proof";
  readonly site: RelyingParty;
  /** Undefined for a login, which has no session yet. */
  readonly sessionId: number | undefined;
}

const NONCE_BYTES = 16;
const TIME_BYTES = 8;

export function createChallenge({ env, now }: Pick<Context, "env" | "now">, purpose: Purpose): string {
  const until = Buffer.alloc(TIME_BYTES);
  until.writeDoubleBE(now + PASSKEY_CHALLENGE_TTL_MS);
  const head = Buffer.concat([randomBytes(NONCE_BYTES), until]);
  return Buffer.concat([head, sign(env, purpose, head)]).toString("base64url");
}

/** Whether the server issued this challenge for this purpose and it has not expired. */
export function isValidChallenge({ env, now }: Pick<Context, "env" | "now">, purpose: Purpose, text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const signature = bytes.subarray(head.length);
  const expected = sign(env, purpose, head);
  return (
    signature.length === expected.length && timingSafeEqual(signature, expected) && head.readDoubleBE(NONCE_BYTES) > now
  );
}

/** Whether this is the challenge's first use; exact even for concurrent requests. */
export function consumeChallenge(env: Env, text: string): Promise<boolean> {
  // Compares bytes, because base64url can spell the same ones in two ways.
  const name = Buffer.from(text, "base64url").toString("hex");
  return isWithinLimit(env, `passkey-challenge:${name}`, 1, PASSKEY_CHALLENGE_TTL_MS);
}

function sign(env: Env, { kind, site, sessionId }: Purpose, head: Uint8Array): Buffer {
  const purpose = JSON.stringify([kind, site.origin, site.rpId, sessionId ?? null]);
  return mac(env, "passkey-challenge", purpose, head);
}
