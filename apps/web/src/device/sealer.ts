/**
 * Encrypts what a member leaves on this device. Storing must begin in the task that has the data, or a page that closes loses it, and
 * the browser's own encryption answers later. So its key stream (AES in counter mode) is made in advance, and each text takes an unused
 * part. Whoever can change the disk can replace the application, so nothing is authenticated; a mark shows the right key.
 */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import { toBase64Url } from "./base64.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Sealer {
  /** Deterministic, so that an entry can be found by its name. A name that was hashed before is there at once. */
  hashName(name: string): string | Promise<string>;
  /** At once, unless much is sealed in the same moment. */
  seal(value: unknown): Bytes | Promise<Bytes>;
  /** Rejects what another key has sealed. */
  open(sealed: unknown): Promise<unknown>;
}

const BLOCK_BYTES = 16;
const RANDOM_BYTES = 12;
const MARK = new TextEncoder().encode("sealed.1");
/** Enough for a recording in base64. */
const PAD_BYTES = Math.ceil((VOICE_MAX_BYTES * 4) / 3) + 100_000;

/** @param base a key for HKDF */
export async function createSealer(base: CryptoKey): Promise<Sealer> {
  const hkdf = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  });
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const [key, nameKey] = await Promise.all([
    crypto.subtle.deriveKey(hkdf("store"), base, { name: "AES-CTR", length: 256 }, false, ["encrypt", "decrypt"]),
    crypto.subtle.deriveKey(hkdf("names"), base, hmac, false, ["sign"]),
  ]);
  const pads = new Pads(key);
  void pads.fill(PAD_BYTES);
  const names = new Map<string, string>();
  const hash = async (name: string) => {
    const signature = await crypto.subtle.sign("HMAC", nameKey, new TextEncoder().encode(name));
    const hashed = toBase64Url(new Uint8Array(signature).subarray(0, BLOCK_BYTES));
    names.set(name, hashed);
    return hashed;
  };
  return {
    hashName: (name) => names.get(name) ?? hash(name),
    seal(value) {
      const text = new TextEncoder().encode(JSON.stringify(value));
      const plain = new Uint8Array(MARK.length + text.length);
      plain.set(MARK);
      plain.set(text, MARK.length);
      return pads.apply(plain) ?? pads.applyLater(plain);
    },
    async open(sealed) {
      const bytes = new Uint8Array(sealed as ArrayLike<number>);
      const algorithm = { name: "AES-CTR", counter: bytes.subarray(0, BLOCK_BYTES), length: 32 };
      const plain = new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(BLOCK_BYTES)));
      if (MARK.some((byte, at) => plain[at] !== byte)) throw new Error("sealed by another key");
      return JSON.parse(new TextDecoder().decode(plain.subarray(MARK.length)));
    },
  };
}

/** Unused key stream. Each one begins at a random counter, so that no tab uses another's. */
class Pads {
  readonly #key: CryptoKey;
  #counter = new Uint8Array(BLOCK_BYTES);
  #stream: Bytes = new Uint8Array();
  #used = 0;
  #filling: Promise<void> | undefined;

  constructor(key: CryptoKey) {
    this.#key = key;
  }

  fill(length: number): Promise<void> {
    this.#filling ??= this.#make(length).finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** The counter and the ciphertext; undefined if too little is left. */
  apply(plain: Bytes): Bytes | undefined {
    if (this.#stream.length - this.#used < plain.length) return undefined;
    const sealed = new Uint8Array(BLOCK_BYTES + plain.length);
    sealed.set(this.#counter);
    new DataView(sealed.buffer).setUint32(RANDOM_BYTES, this.#used / BLOCK_BYTES);
    for (let at = 0; at < plain.length; at += 1)
      sealed[BLOCK_BYTES + at] = (plain[at] ?? 0) ^ (this.#stream[this.#used + at] ?? 0);
    this.#used += Math.ceil(plain.length / BLOCK_BYTES) * BLOCK_BYTES;
    if (this.#stream.length - this.#used < PAD_BYTES / 2) void this.fill(PAD_BYTES);
    return sealed;
  }

  async applyLater(plain: Bytes): Promise<Bytes> {
    for (;;) {
      await this.fill(Math.max(PAD_BYTES, plain.length));
      const sealed = this.apply(plain);
      if (sealed) return sealed;
    }
  }

  async #make(length: number): Promise<void> {
    const counter = new Uint8Array(BLOCK_BYTES);
    crypto.getRandomValues(counter.subarray(0, RANDOM_BYTES));
    const zeros = new Uint8Array(Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES);
    const stream = await crypto.subtle.encrypt({ name: "AES-CTR", counter, length: 32 }, this.#key, zeros);
    this.#counter = counter;
    this.#stream = new Uint8Array(stream);
    this.#used = 0;
  }
}
