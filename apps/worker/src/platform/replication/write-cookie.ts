/** The cookie that makes a session read what it just wrote. */
import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import { decrypt, encrypt } from "../encryption.ts";
import { readCookie, setHttpOnlyCookie, WRITE_COOKIE } from "../http/cookies.ts";
import type { Keys } from "../keys.ts";
import type { Bookmark } from "./bookmarks.ts";
import type { Region } from "./regions.ts";

/** After this long each region has read the primary anew, and so knows of recorded misses: nobody uses what was read before. */
export const EXPIRED_MS = WATERMARK_LEASE_MS + 6000;

export interface OwnWrite {
  /** The region that knows of the write, or will in a moment; "none" if it could not be told. */
  readonly region: Region | "none";
  /** The state after the write, if the region may not know of it yet. */
  readonly bookmark?: Bookmark;
}

/** Encrypted, as a bookmark counts the writes of the whole site, and bound to its session: D1 gets no text that a client made. */
export function setWriteCookie(env: Keys, headers: Headers, key: string, { region, bookmark }: OwnWrite): void {
  const state = bookmark && encrypt(env, "own-write", bookmark, { context: `${region}:${key}` }).toString("base64url");
  setHttpOnlyCookie(headers, WRITE_COOKIE, state ? `${region}.${state}` : region, EXPIRED_MS / 1000);
}

/** The region where the session last wrote; undefined if that was long ago. */
export const writeRegionOf = (request: Request): string | undefined => readCookie(request, WRITE_COOKIE)?.split(".")[0];

/** The state after the session's last write; undefined if its region knows of it. Throws for what this site did not encrypt for the session. */
export function readWriteBookmark(env: Keys, request: Request, key: string): Bookmark | undefined {
  const [region, state] = readCookie(request, WRITE_COOKIE)?.split(".") ?? [];
  if (state === undefined) return undefined;
  return decrypt(env, "own-write", Buffer.from(state, "base64url"), { context: `${region}:${key}` }).toString();
}
