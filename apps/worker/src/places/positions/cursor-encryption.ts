/**
 * Encrypts cursors before they leave the site, authenticated for one member and one search. Nobody else can read their
 * content (the curve position and random order of the last member), and a forged cursor never reaches a search.
 */
import { decodeBase64Url } from "../../platform/base64url.ts";
import { AppError } from "../../platform/errors.ts";

const IV_BYTES = 12;
const keys = new Map<string, Promise<CryptoKey>>();

/** The member and the search that a cursor is valid for. */
export interface CursorScope {
  readonly secret: string;
  readonly profileId: number;
  /** All parameters of the search except the page. */
  readonly search: object;
}

/** A separate key, because the secret itself is used for hashing. */
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

function parametersOf({ profileId, search }: CursorScope, iv: Uint8Array) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${profileId}:${JSON.stringify(search)}`) };
}

/**
 * Derived from the content, so that the same page gives the same bytes, and from the secret, so that it reveals nothing
 * of the content.
 */
async function ivOf({ secret, profileId, search }: CursorScope, cursor: string): Promise<Uint8Array> {
  const text = `cursor-iv:${secret}:${profileId}:${JSON.stringify(search)}:${cursor}`;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).slice(0, IV_BYTES);
}

export async function encryptCursor(scope: CursorScope, cursor: string): Promise<string> {
  const text = new TextEncoder().encode(cursor);
  const iv = await ivOf(scope, cursor);
  const encrypted = new Uint8Array(
    await crypto.subtle.encrypt(parametersOf(scope, iv), await keyOf(scope.secret), text),
  );
  return Buffer.concat([iv, encrypted]).toString("base64url");
}

/** Throws BAD_INPUT for a cursor that was not issued to this member for this search. */
export async function decryptCursor(scope: CursorScope, encrypted: string, field = "cursor"): Promise<string> {
  try {
    const bytes = decodeBase64Url(encrypted);
    const iv = bytes.subarray(0, IV_BYTES);
    const decrypted = await crypto.subtle.decrypt(
      parametersOf(scope, iv),
      await keyOf(scope.secret),
      bytes.subarray(IV_BYTES),
    );
    return new TextDecoder().decode(decrypted);
  } catch {
    throw new AppError("BAD_INPUT", { field, message: `${field}: is not one that was given out` });
  }
}
