/**
 * Keyed hashes of notices, which are recomputed instead of stored: the receipt's secret, the code that confirms an
 * address, and the marks by which a sender's notices are counted.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";

type Keyed = Pick<Env, "POSITION_KEY">;

/** Uses POSITION_KEY, prefixed with a purpose, so that a hash made for one purpose is useless for another. */
export function keyedHash({ POSITION_KEY }: Keyed, purpose: string, ...values: (string | number)[]): Buffer {
  if (!POSITION_KEY) throw new Error("POSITION_KEY is not set");
  return createHmac("sha256", `notice-${purpose}:${POSITION_KEY}`).update(JSON.stringify(values)).digest();
}

/** The secret that opens a receipt. */
export function receiptSecret(env: Keyed, ref: string): string {
  return keyedHash(env, "receipt", ref).toString("base64url");
}

/** The code that confirms an address. It is only sent by mail, so its holder can read mail to this address. */
export function addressCode(env: Keyed, ref: string, email: string): string {
  return keyedHash(env, "address", ref, email).toString("base64url");
}

/** Hashes of a sender's network and mailbox, to count their notices. */
export function senderMarks({ env, ip, site }: Pick<Context, "env" | "ip" | "site">, email: string | undefined) {
  return {
    sender_network: keyedHash(env, "network", site ?? ip).subarray(0, 16),
    sender_mailbox: email === undefined ? null : keyedHash(env, "mailbox", mailboxOf(email)).subarray(0, 16),
  };
}

export function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
