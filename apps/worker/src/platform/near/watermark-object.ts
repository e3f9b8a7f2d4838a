import { DurableObject } from "cloudflare:workers";
import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import type { Changed, FeedMark, News, Written } from "../objects.ts";
import { type Bookmark, limitedTo, newest, reaches } from "./bookmarks.ts";
import { ChangeFeed } from "./change-feed.ts";
import { lookAtPrimary } from "./statements.ts";

/** The state of the primary database at a time of this object's clock. */
interface Seen {
  readonly bookmark: Bookmark | null;
  readonly at: number;
}

/** Between a change and writing down that nothing came after it: an object that nobody asks is forgotten soon after. */
const REST_MS = 3000;
const ENDED = "ended";

/** Where the feed ended when nothing had come for a while. */
interface Ended {
  readonly mark: FeedMark;
  readonly missed: number | undefined;
}

/**
 * One region's watermark: how new a copy of the database must be that may be read there. Whoever made something less visible tells all
 * regions before the answer goes out. What it was not told it learns by itself, since what it knows of the primary is never older than
 * WATERMARK_LEASE_MS. So one that begins anew asks the primary first. All it keeps is where its feed ended, as long as that is so: who read
 * it until then need forget nothing when the object was forgotten in between.
 */
export class WatermarkObject extends DurableObject<Env> {
  #told: Bookmark | null = null;
  #seen: Seen | undefined;
  /** Seen later, and in force a little later: by then replicas have it, and nobody waits for them. */
  #next: Seen | undefined;
  #looking: Promise<Seen> | undefined;
  /** What single sessions wrote, until the watermark is beyond it. */
  readonly #own = new Map<string, Bookmark>();
  readonly #feed: ChangeFeed;
  /** How many tellings had missed a region when the primary was last looked at. */
  #missed: number | undefined;
  #isEnded = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const ended = ctx.storage.kv.get<Ended>(ENDED);
    this.#feed = new ChangeFeed(ended?.mark);
    this.#missed = ended?.missed;
    this.#isEnded = ended !== undefined;
  }

  /** The oldest state in which the session `key` may read now. Throws where the primary could not be asked in time. */
  async ask(key: string): Promise<Bookmark | null> {
    const seen = await this.#lookedLately();
    return this.#bookmarkFor(seen, key);
  }

  /** The same, and whom it was told of since the mark: what was read about others before is still true. */
  async news(key: string, since: FeedMark | null): Promise<News> {
    const seen = await this.#lookedLately();
    return { bookmark: this.#bookmarkFor(seen, key), mark: this.#feed.mark, changed: this.#feed.since(since) };
  }

  #bookmarkFor(seen: Seen, key: string): Bookmark | null {
    const state = newest(newest(seen.bookmark, this.#told), this.#own.get(key) ?? null);
    // Of a message database that did not answer nobody knows what was not told: it is read at its primary.
    return limitedTo(state, seen.bookmark);
  }

  tell({ bookmark, key, hides, about }: Written): void {
    if (hides) {
      this.#told = newest(this.#told, bookmark);
      this.#addToFeed(about ?? "anybody");
    }
    if (key !== undefined) this.#own.set(key, newest(this.#own.get(key) ?? null, bookmark) ?? bookmark);
  }

  /** What it had written down is not so any more, and that is stored before the change is acknowledged. */
  #addToFeed(about: Changed): void {
    this.#feed.add(about);
    if (this.#isEnded) this.ctx.storage.kv.delete(ENDED);
    this.#isEnded = false;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.ctx.storage.kv.put<Ended>(ENDED, { mark: this.#feed.mark, missed: this.#missed });
      this.#isEnded = true;
    }, REST_MS);
  }

  async #lookedLately(): Promise<Seen> {
    const now = Date.now();
    if (this.#next && now - this.#next.at >= WATERMARK_LEASE_MS / 2) this.#comeIntoForce(this.#next);
    const last = this.#next ?? this.#seen;
    if (last === undefined || now - last.at >= WATERMARK_LEASE_MS / 2) {
      const looking = this.#look();
      if (this.#seen && now - this.#seen.at < WATERMARK_LEASE_MS) looking.catch(() => {});
      else this.#comeIntoForce(await looking);
    }
    // Never undefined: it was there, or came into force just now.
    return this.#seen ?? (await this.#look());
  }

  #look(): Promise<Seen> {
    this.#looking ??= (async () => {
      const at = Date.now();
      try {
        const { bookmark, missed } = await lookAtPrimary(this.env);
        // Some region, perhaps this one, was not told of something.
        if (this.#missed !== missed) {
          this.#missed = missed;
          this.#addToFeed("anybody");
        }
        this.#next = { bookmark, at };
        return this.#next;
      } finally {
        this.#looking = undefined;
      }
    })();
    return this.#looking;
  }

  #comeIntoForce(seen: Seen): void {
    this.#seen = seen;
    if (this.#next === seen) this.#next = undefined;
    if (seen.bookmark === null) return;
    for (const [key, bookmark] of this.#own) if (reaches(seen.bookmark, bookmark)) this.#own.delete(key);
  }
}
