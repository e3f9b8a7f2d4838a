/**
 * A member's two lattices: random displacements that are stored encrypted with the account. Neither an address nor a
 * server key determines them, so no later account and no new key can repeat them.
 */
import { randomBytes } from "node:crypto";
import { type Lattice, latticeOf } from "@lambda/geo/lattice";
import { decrypt, encrypt } from "../platform/encryption.ts";
import { type Keys, oldestMac } from "../platform/keys.ts";
import type { LatticeOwner } from "../platform/viewer.ts";
import { mailboxOf } from "./mailbox.ts";

export interface Lattices {
  /** The member's cells, known to their own devices and to nobody else. */
  readonly own: Lattice;
  /** The published points. Never sent, though somebody who watches the member for long enough learns it. */
  readonly shown: Lattice;
}

/** Two numbers of 32 bits. */
const LATTICE_BYTES = 8;
const LABEL = "lattices";

export function latticesOf(env: Keys, owner: LatticeOwner): Lattices {
  const bytes = bytesOf(env, owner);
  return { own: toLattice(bytes), shown: toLattice(bytes.subarray(LATTICE_BYTES)) };
}

function toLattice(bytes: Buffer): Lattice {
  return latticeOf(bytes.readUInt32BE(0) / 2 ** 32, bytes.readUInt32BE(4) / 2 ** 32);
}

function bytesOf(env: Keys, owner: LatticeOwner): Buffer {
  if (owner.lattices === null) return deriveBytes(env, owner);
  return decrypt(env, LABEL, new Uint8Array(owner.lattices));
}

/** For accounts from before lattices were stored, until the scheduled job has stored theirs: their own cells never move. */
function deriveBytes(env: Keys, { id, email, lattice_seed }: LatticeOwner): Buffer {
  const seed = lattice_seed ? Buffer.from(lattice_seed) : oldestMac(env, "lattice", mailboxOf(email));
  return Buffer.concat([
    oldestMac(env, "own", seed.toString("hex")).subarray(0, LATTICE_BYTES),
    oldestMac(env, "shown-account", `${id}`).subarray(0, LATTICE_BYTES),
  ]);
}

/** The lattices of an account as they are stored, encrypted with the current key. */
export const encryptLattices = (env: Keys, owner: LatticeOwner): Buffer => encrypt(env, LABEL, bytesOf(env, owner));

/** New lattices, encrypted. Benches pass the other account of a mailbox from before it had only one: both have its own lattice. */
export function newLattices(env: Keys, other?: LatticeOwner): Buffer {
  const own = other ? bytesOf(env, other).subarray(0, LATTICE_BYTES) : randomBytes(LATTICE_BYTES);
  return encrypt(env, LABEL, Buffer.concat([own, randomBytes(LATTICE_BYTES)]));
}
