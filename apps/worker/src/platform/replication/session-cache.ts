/**
 * Rows of sessions that this isolate read in the last seconds, so that a burst of calls reads its session once. Each call still asks its
 * region's watermark, which tells whether the member changed since.
 */
import { SESSION_CACHE_MS } from "@lambda/contract/limits";
import type { KnownSession, SessionMark } from "../objects.ts";

interface CachedSession extends KnownSession {
  readonly row: unknown;
  readonly at: number;
}

const cached = new Map<string, CachedSession>();
const CACHED_MAX = 5000;

/** @param key the hash under which watermarks know the session */
export function findCachedSession(key: string): CachedSession | undefined {
  const found = cached.get(key);
  if (found && Math.abs(Date.now() - found.at) < SESSION_CACHE_MS) return found;
  cached.delete(key);
  return undefined;
}

export class SessionCache {
  /** The row as it was read before, if it is still current. */
  readonly current: unknown;
  readonly #key: string;
  readonly #mark: SessionMark;
  readonly #at: number;

  /** @param at when the watermark was asked for `mark` */
  constructor(key: string, mark: SessionMark, at: number, current?: unknown) {
    this.#key = key;
    this.#mark = mark;
    this.#at = at;
    this.current = current;
  }

  /** Keeps a row that was read after the watermark was asked. */
  keep(row: unknown, profileId: number): void {
    if (cached.size >= CACHED_MAX) cached.clear();
    cached.set(this.#key, { row, profileId, mark: this.#mark, at: this.#at });
  }

  forget(): void {
    cached.delete(this.#key);
  }
}
