/**
 * The worker's keys, which cannot be read back from the platform. They are generated once, encrypted into a file with a passphrase before
 * they are uploaded, and only printed on request.
 */
import { createCipheriv, createDecipheriv, createECDH, randomBytes, scryptSync } from "node:crypto";
import { newestKeyId, parseVersions } from "@lambda/worker/keys";

export type Keys = Readonly<Record<string, string>>;

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface Escrow {
  readonly what: string;
  readonly scrypt: ScryptCost;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly sealed: string;
}

const WHAT = "Keys of a deployed site. npm run keys -- restore --file FILE sets them.";
/** About half a second and 128 MB per attempt. */
const SCRYPT: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
const MAXMEM = 256 * 2 ** 20;
const KEY_BYTES = 32;
const CURVE = "prime256v1";
export const PASSPHRASE_MIN = 16;

const PUSH_KEY = "VAPID_PRIVATE_KEY";
export const KEY_NAMES = ["SITE_KEY", "HOLD_KEY", PUSH_KEY];

export function makeKeys(): Keys {
  return Object.fromEntries(KEY_NAMES.map((name) => [name, makeKey(name)]));
}

function makeKey(name: string): string {
  if (name !== PUSH_KEY) return randomBytes(KEY_BYTES).toString("base64");
  const push = createECDH(CURVE);
  push.generateKeys();
  return pushPair(padded(push.getPrivateKey()).toString("base64url"));
}

/** Both halves, since devices that subscribed with an older public one go on to get pushes. */
function pushPair(version: string): string {
  const [half = ""] = version.split(".");
  const push = createECDH(CURVE);
  push.setPrivateKey(Buffer.from(half, "base64url"));
  return `${half}.${push.getPublicKey().toString("base64url")}`;
}

/** Puts a new version in front of a key; the old ones stay, for what was made with them. */
export function withNewVersion(keys: Keys, name: string): { readonly changed: Keys; readonly keys: Keys } {
  const text = keys[name];
  if (text === undefined)
    throw new Error(`The sealed file has no ${name}: npm run keys -- replace ${name} --lost makes one.`);
  const versions = [...parseVersions(name, text)];
  const newest = Math.max(...versions.map(([version]) => version)) + 1;
  const old = versions.map(([version, secret]) => [version, name === PUSH_KEY ? pushPair(secret) : secret] as const);
  const listed = [[newest, makeKey(name)], ...old];
  const changed = { [name]: listed.map(([version, secret]) => `${version}:${secret}`).join(",") };
  return { changed, keys: { ...keys, ...changed } };
}

/** Whether a version of SITE_KEY encrypted what begins with this id, in hexadecimal digits. */
export function isKeyOf(siteKey: string, id: string): boolean {
  const versions = [...parseVersions("SITE_KEY", siteKey).values()];
  return versions.some((secret) => newestKeyId({ SITE_KEY: secret }).toString("hex").toUpperCase() === id);
}

/** The public half of the newest push key, for `pushKey` of deployment/site.json. */
export function publicPushKey({ VAPID_PRIVATE_KEY = "" }: Keys): string {
  const [newest = ""] = parseVersions(PUSH_KEY, VAPID_PRIVATE_KEY).values();
  return pushPair(newest).split(".")[1] ?? "";
}

/** Restores leading zeros, which OpenSSL omits and push services require. */
const padded = (key: Buffer): Buffer => Buffer.concat([Buffer.alloc(KEY_BYTES - key.length), key]);

/** Encrypts the keys into the text of an escrow file. Throws if the passphrase is too short. */
export function seal(keys: Keys, passphrase: string, scrypt = SCRYPT): string {
  if (passphrase.length < PASSPHRASE_MIN) throw new Error(`The passphrase needs ${PASSPHRASE_MIN} characters.`);
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(
    "aes-256-gcm",
    scryptSync(passphrase, salt, KEY_BYTES, { ...scrypt, maxmem: MAXMEM }),
    iv,
  );
  const sealed = Buffer.concat([cipher.update(JSON.stringify(keys), "utf8"), cipher.final()]);
  const escrow: Escrow = {
    what: WHAT,
    scrypt,
    salt: salt.toString("base64"),
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    sealed: sealed.toString("base64"),
  };
  return `${JSON.stringify(escrow, null, 2)}\n`;
}

/** Throws if the passphrase is wrong. */
export function unseal(file: string, passphrase: string): Keys {
  const { scrypt, salt, iv, tag, sealed } = JSON.parse(file) as Escrow;
  const bytes = (text: string) => Buffer.from(text, "base64");
  const key = scryptSync(passphrase, bytes(salt), KEY_BYTES, { ...scrypt, maxmem: MAXMEM });
  const decipher = createDecipheriv("aes-256-gcm", key, bytes(iv)).setAuthTag(bytes(tag));
  try {
    const text = Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString("utf8");
    // A file from before SITE_KEY had this name.
    return JSON.parse(text.replace('"POSITION_KEY":', '"SITE_KEY":')) as Keys;
  } catch {
    throw new Error("This passphrase does not open the file.");
  }
}
