import type { LatticeOwner } from "../../platform/viewer.ts";
import { mailboxOf } from "./mailbox.ts";

const keys = new Map<string, Promise<CryptoKey>>();

function importKey(secret: string): Promise<CryptoKey> {
  if (!secret) throw new Error("POSITION_KEY is not set");
  let key = keys.get(secret);
  if (!key) {
    key = crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    keys.set(secret, key);
  }
  return key;
}

/** HMAC-SHA-256 of a message with the position key. */
export async function keyedHash(secret: string, message: string): Promise<ArrayBuffer> {
  return crypto.subtle.sign("HMAC", await importKey(secret), new TextEncoder().encode(message));
}

/**
 * Returns the seed of a member's lattice, derived from the mailbox however its address is spelled. The seed is stored
 * when the address changes, so that the member's cells stay where they are.
 */
export async function latticeSeed(secret: string, { email, lattice_seed }: LatticeOwner): Promise<Uint8Array> {
  return new Uint8Array(lattice_seed ?? (await keyedHash(secret, `lattice:${mailboxOf(email)}`)));
}
