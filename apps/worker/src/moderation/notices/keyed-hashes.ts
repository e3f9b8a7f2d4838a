/**
 * Keyed hashes of notices, which are recomputed instead of stored: the receipt's secret, the code that confirms an
 * address, and the marks by which a sender's notices are counted.
 */
import { mailboxOf } from "../../accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import { type Keys, mac, macs } from "../../platform/keys.ts";

export const receiptSecret = (env: Keys, ref: string): string => receiptSecrets(env, ref)[0]!;

/** With those of older keys, whose receipts stay valid. */
export function receiptSecrets(env: Keys, ref: string): string[] {
  return macs(env, "notice-receipt", toText(ref)).map((code) => code.toString("base64url"));
}

/** The code that confirms an address. It is only sent by mail, so its holder can read mail to this address. */
export const addressCode = (env: Keys, ref: string, email: string): string => addressCodes(env, ref, email)[0];

/** With those of older keys, which prove nothing, as whoever has a leaked one could make them. */
export function addressCodes(env: Keys, ref: string, email: string): [string, ...string[]] {
  const [newest, ...older] = macs(env, "notice-address", toText(ref, email));
  return [newest.toString("base64url"), ...older.map((code) => code.toString("base64url"))];
}

/** Hashes of a sender's network and mailbox, to count their notices. */
export function senderMarks({ env, ip, site }: Pick<Context, "env" | "ip" | "site">, email: string | undefined) {
  return {
    sender_network: shorten(mac(env, "notice-network", toText(site ?? ip))),
    sender_mailbox: email === undefined ? null : mailboxMarks(env, email)[0]!,
  };
}

/** The hashes that earlier notices of this address's mailbox may have. */
export function mailboxMarks(env: Keys, email: string): Buffer[] {
  return macs(env, "notice-mailbox", toText(mailboxOf(email))).map(shorten);
}

const shorten = (code: Buffer) => code.subarray(0, 16);
const toText = (...values: readonly string[]) => JSON.stringify(values);
