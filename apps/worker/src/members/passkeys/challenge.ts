/**
 * Challenges that passkeys sign. A challenge says itself, under a key of the server, what it is for and until when, so that a stranger
 * who asks for many stores nothing here; only one that was signed is remembered, until it has run out.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { PASSKEY_CHALLENGE_TTL_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What a signature is good for: nothing but this, on this site, and for the session that asked, where there is one. */
export interface Purpose {
  readonly kind: "login" | "add" | "proof";
  readonly site: RelyingParty;
  /** Undefined for a login, which no session asks for. */
  readonly sessionId: number | undefined;
}

const NONCE_BYTES = 16;
const TIME_BYTES = 8;

export function newChallenge({ env, now }: Pick<Context, "env" | "now">, purpose: Purpose): string {
  const until = Buffer.alloc(TIME_BYTES);
  until.writeDoubleBE(now + PASSKEY_CHALLENGE_TTL_MS);
  const head = Buffer.concat([randomBytes(NONCE_BYTES), until]);
  return Buffer.concat([head, sign(env, purpose, head)]).toString("base64url");
}

/** Whether the server gave this challenge out for this purpose, and it has not run out. */
export function isOwnChallenge({ env, now }: Pick<Context, "env" | "now">, purpose: Purpose, text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const mac = bytes.subarray(head.length);
  const own = sign(env, purpose, head);
  return mac.length === own.length && timingSafeEqual(mac, own) && head.readDoubleBE(NONCE_BYTES) > now;
}

/** Whether this is the first time that the challenge is used, counted exactly for two requests at the same moment too. */
export function useChallengeUp(env: Env, text: string): Promise<boolean> {
  // Bytes, as the same ones can be written in two ways.
  const name = Buffer.from(text, "base64url").toString("hex");
  return isWithinLimit(env, `passkey-challenge:${name}`, 1, PASSKEY_CHALLENGE_TTL_MS);
}

function sign({ POSITION_KEY }: Env, { kind, site, sessionId }: Purpose, head: Uint8Array): Buffer {
  // The label keeps what is made for this purpose from standing for another, though the key is that of the positions.
  const mac = createHmac("sha256", `passkey-challenge:${POSITION_KEY}`);
  return mac
    .update(JSON.stringify([kind, site.origin, site.rpId, sessionId ?? null]))
    .update(head)
    .digest();
}
