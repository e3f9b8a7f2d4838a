/**
 * Encrypts cursors before they leave the site, authenticated for one member and one search. Nobody else can read their
 * content (the curve position and random order of the last member), and a forged cursor never reaches a search.
 */
import { decodeBase64Url } from "../../platform/base64url.ts";
import { decrypt, encrypt, IV_BYTES } from "../../platform/encryption.ts";
import { AppError } from "../../platform/errors.ts";
import { type Keys, mac } from "../../platform/keys.ts";

const KEY_LABEL = "cursor";

/** The member and the search that a cursor is valid for. */
export interface CursorScope {
  readonly env: Keys;
  readonly profileId: number;
  /** All parameters of the search except the page. */
  readonly search: object;
}

const contextOf = ({ profileId, search }: CursorScope) => `${profileId}:${JSON.stringify(search)}`;

export function encryptCursor(scope: CursorScope, cursor: string): string {
  const context = contextOf(scope);
  // Derived from the content, so that the same page gives the same bytes, and from the key, so that it reveals nothing of the content.
  const iv = mac(scope.env, "cursor-iv", context, ":", cursor).subarray(0, IV_BYTES);
  return encrypt(scope.env, KEY_LABEL, cursor, { context, iv }).toString("base64url");
}

/** Throws BAD_INPUT for a cursor that was not issued to this member for this search. */
export function decryptCursor(scope: CursorScope, encrypted: string, field = "cursor"): string {
  try {
    return decrypt(scope.env, KEY_LABEL, decodeBase64Url(encrypted), { context: contextOf(scope) }).toString();
  } catch {
    throw new AppError("BAD_INPUT", { field, message: `${field}: is not one that was given out` });
  }
}
