/**
 * Keyed hashes of notices, which are recomputed instead of stored: the receipt's secret, the code that confirms an
 * address, and the marks by which a sender's notices are counted.
 */
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { labeledMac } from "../../platform/mac.ts";

type Keyed = Pick<Env, "POSITION_KEY">;

function noticeHash(env: Keyed, purpose: string, ...values: (string | number)[]): Buffer {
  return labeledMac(env, `notice-${purpose}`, JSON.stringify(values));
}

/** The secret that opens a receipt. */
export function receiptSecret(env: Keyed, ref: string): string {
  return noticeHash(env, "receipt", ref).toString("base64url");
}

/** The code that confirms an address. It is only sent by mail, so its holder can read mail to this address. */
export function addressCode(env: Keyed, ref: string, email: string): string {
  return noticeHash(env, "address", ref, email).toString("base64url");
}

/** Hashes of a sender's network and mailbox, to count their notices. */
export function senderMarks({ env, ip, site }: Pick<Context, "env" | "ip" | "site">, email: string | undefined) {
  return {
    sender_network: noticeHash(env, "network", site ?? ip).subarray(0, 16),
    sender_mailbox: email === undefined ? null : noticeHash(env, "mailbox", mailboxOf(email)).subarray(0, 16),
  };
}
