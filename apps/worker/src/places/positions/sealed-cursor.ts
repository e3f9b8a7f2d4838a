/**
 * Cursors as they leave the site: encrypted and authenticated for one member and one search. What is in them (where on the curve the
 * last one stands, and their place in the order of draws) is nobody's to read, and a forged one never reaches a search.
 */
import { AppError } from "../../platform/errors.ts";

const IV_BYTES = 12;
const keys = new Map<string, Promise<CryptoKey>>();

/** Whose cursor, and of which search: it opens for nothing else. */
export interface CursorUse {
  readonly secret: string;
  readonly profileId: number;
  /** All that the search asks for but the page. */
  readonly search: object;
}

/** A key of its own: the secret's other use is to hash. */
function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (!key) {
    key = crypto.subtle
      .digest("SHA-256", new TextEncoder().encode(`cursor:${secret}`))
      .then((bits) => crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]));
    keys.set(secret, key);
  }
  return key;
}

function parametersOf({ profileId, search }: CursorUse, iv: Uint8Array) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${profileId}:${JSON.stringify(search)}`) };
}

/** Made of what is sealed, so that the same page gives the same bytes; and of the secret, so that it tells nothing of them. */
async function ivOf({ secret, profileId, search }: CursorUse, cursor: string): Promise<Uint8Array> {
  const text = `cursor-iv:${secret}:${profileId}:${JSON.stringify(search)}:${cursor}`;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).slice(0, IV_BYTES);
}

export async function sealCursor(use: CursorUse, cursor: string): Promise<string> {
  const text = new TextEncoder().encode(cursor);
  const iv = await ivOf(use, cursor);
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parametersOf(use, iv), await keyOf(use.secret), text));
  return btoa(String.fromCharCode(...iv, ...sealed))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** Throws BAD_INPUT for what was not given out to this member for this search. */
export async function openCursor(use: CursorUse, sealed: string, field = "cursor"): Promise<string> {
  try {
    const binary = atob(sealed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const iv = bytes.subarray(0, IV_BYTES);
    const opened = await crypto.subtle.decrypt(
      parametersOf(use, iv),
      await keyOf(use.secret),
      bytes.subarray(IV_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch {
    throw new AppError("BAD_INPUT", { field, message: `${field}: is not one that was given out` });
  }
}
