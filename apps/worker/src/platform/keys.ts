/**
 * The site's secret, SITE_KEY, and the key of each purpose that is derived from it. No other file reads it. It lists versions with the
 * newest first, "2:new secret,1:old secret"; everything is made with the newest.
 */
import { createHash, hkdfSync } from "node:crypto";
import { hmacSha256 } from "./mac.ts";

/** The site's secret among the bindings, spelled here because browser tests and the seed import this file without the platform's types. */
export interface Keys {
  readonly SITE_KEY: string;
}

/**
 * Each purpose of SITE_KEY, and what a new version does to the values made before (docs/SECURITY.md says what each links):
 * - renewed: a scheduled job stores them anew, after which the old version is not needed.
 * - read: they are recognized while the old version is listed.
 * - ended: they are not recognized, because whoever has a leaked version could make them, or because they last for minutes.
 */
export const PURPOSES = {
  "ban-address": "read",
  "ban-device": "read",
  "ban-picture": "renewed",
  cursor: "ended",
  "cursor-iv": "ended",
  draw: "ended",
  etag: "ended",
  "export-ticket": "ended",
  exposure: "read",
  lattice: "renewed",
  lattices: "renewed",
  "login-asked": "ended",
  "login-device": "ended",
  "mail-waiting": "read",
  network: "ended",
  "notice-address": "read",
  "notice-mailbox": "read",
  "notice-network": "ended",
  "notice-receipt": "read",
  "notice-work": "ended",
  opening: "ended",
  "opening-to": "ended",
  own: "renewed",
  "own-write": "ended",
  "passkey-challenge": "ended",
  "passkey-user": "renewed",
  "picture-exemption": "read",
  "picture-print": "renewed",
  "place memory": "renewed",
  "place memory nonce": "ended",
  "random-position": "ended",
  "safe-meet-caller": "ended",
  "safe-meet-maker": "read",
  "shown-account": "renewed",
} as const satisfies Readonly<Record<string, "renewed" | "read" | "ended">>;

export type Purpose = keyof typeof PURPOSES;

/** Distinguishes versions in stored values without revealing them. */
export const KEY_ID_BYTES = 4;

/**
 * Parses versions of a secret. One without a number is version 1. Throws if one is empty or repeated, or if there is none.
 */
export function parseVersions(name: string, text: string): ReadonlyMap<number, string> {
  if (!text) throw new Error(`${name} is not set`);
  const versions = new Map<number, string>();
  for (const part of text.split(",").map((version) => version.trim())) {
    const [, number = "1", secret = ""] = /^(?:(\d{1,8}):)?(.*)$/.exec(part) ?? [];
    if (secret === "" || versions.has(Number(number))) {
      throw new Error(`${name}: a version is empty or repeated`);
    }
    versions.set(Number(number), secret);
  }
  return versions;
}

/** Parsed because each request needs several. */
const parsed = new Map<string, readonly string[]>();

function secretsOf({ SITE_KEY }: Keys): readonly string[] {
  const known = parsed.get(SITE_KEY) ?? [...parseVersions("SITE_KEY", SITE_KEY).values()];
  parsed.set(SITE_KEY, known);
  return known;
}

/** Those that values of a purpose may be of, the newest first. */
function secretsFor(env: Keys, purpose: Purpose): readonly string[] {
  return PURPOSES[purpose] === "ended" ? secretsOf(env).slice(0, 1) : secretsOf(env);
}

export const hasOldVersions = (env: Keys): boolean => secretsOf(env).length > 1;

/** A message authentication code that is invalid for any other purpose. */
export function mac(env: Keys, purpose: Purpose, ...parts: readonly (string | Uint8Array)[]): Buffer {
  return macs(env, purpose, ...parts)[0]!;
}

/** The codes that are recognized for this purpose, the newest first. */
export function macs(env: Keys, purpose: Purpose, ...parts: readonly (string | Uint8Array)[]): [Buffer, ...Buffer[]] {
  const codes = secretsFor(env, purpose).map((secret) => hmacSha256(`${purpose}:${secret}`, ...parts));
  return codes as [Buffer, ...Buffer[]];
}

interface EncryptionKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/** Derived once, because each page of a search needs one. */
const derived = new Map<string, readonly EncryptionKey[]>();

/** The keys that values of this purpose may be encrypted with, the newest first. */
export function encryptionKeys(env: Keys, purpose: Purpose): readonly EncryptionKey[] {
  const name = `${purpose}:${env.SITE_KEY}`;
  const known =
    derived.get(name) ??
    secretsFor(env, purpose).map((secret) => ({
      id: idOf(secret),
      key: createHash("sha256").update(`${purpose}:${secret}`).digest(),
    }));
  derived.set(name, known);
  return known;
}

/** Identifies the newest version in what is encrypted with it. */
export const newestKeyId = (env: Keys): Buffer => idOf(secretsOf(env)[0]!);

/** The text of the hash is that of the first values that carried it. */
function idOf(secret: string): Buffer {
  return createHash("sha256").update(`lattices id:${secret}`).digest().subarray(0, KEY_ID_BYTES);
}

/** The keys of a purpose by HKDF, the newest first. */
export function derivedKeys(env: Keys, purpose: "place memory" | "place memory nonce"): Buffer[] {
  return secretsFor(env, purpose).map((secret) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)));
}

/**
 * What lattices were derived from before they were stored: codes of the oldest version, under which those accounts were made.
 */
export function oldestMac(env: Keys, purpose: "lattice" | "own" | "shown-account", text: string): Buffer {
  return hmacSha256(secretsOf(env).at(-1)!, `${purpose}:${text}`);
}
