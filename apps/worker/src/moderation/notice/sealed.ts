/**
 * What a notice hands out and recognises again by a key, so that none of it is stored: the receipt's secret, the code that proves
 * an address, and the marks by which one sender's notices are counted.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";

type Keyed = Pick<Env, "POSITION_KEY">;

/** The positions' key serves here too: each use begins with a word of its own, so that none can stand for another. */
export function seal({ POSITION_KEY }: Keyed, purpose: string, ...values: (string | number)[]): Buffer {
  if (!POSITION_KEY) throw new Error("POSITION_KEY is not set");
  return createHmac("sha256", `notice-${purpose}:${POSITION_KEY}`).update(JSON.stringify(values)).digest();
}

/** Opens the receipt. */
export function receiptSecret(env: Keyed, ref: string): string {
  return seal(env, "receipt", ref).toString("base64url");
}

/** Stands in the mail alone: whoever has it reads what is sent to this address. */
export function addressCode(env: Keyed, ref: string, email: string): string {
  return seal(env, "address", ref, email).toString("base64url");
}

/** Where a notice came from, for counting. */
export function senderMarks({ env, ip, site }: Pick<Context, "env" | "ip" | "site">, email: string | undefined) {
  return {
    sender_network: seal(env, "network", site ?? ip).subarray(0, 16),
    sender_mailbox: email === undefined ? null : seal(env, "mailbox", mailboxOf(email)).subarray(0, 16),
  };
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
