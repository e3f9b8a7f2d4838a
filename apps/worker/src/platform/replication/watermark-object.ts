import { LIVE_REFETCH_MS, WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { MeteredObject } from "../metering/metered-object.ts";
import type {
  ChangedMembers,
  FeedPosition,
  KnownSession,
  RecordedWrite,
  RegionNews,
  RegionUpdates,
  SessionState,
} from "../objects.ts";
import { type Bookmark, isAtLeast, newest, restrictTo } from "./bookmarks.ts";
import { readPrimaryState } from "./statements.ts";

/** A state of the primaries, and when this object read it. */
interface PrimaryState {
  readonly bookmark: Bookmark | null;
  readonly at: number;
}

/** After this long without a change the end of the feed is stored: an idle object is evicted soon after. */
const IDLE_MS = 3000;
const ENDED_KEY = "ended";

/** The end of the feed, stored while idle. */
interface StoredEnd {
  readonly mark: FeedPosition;
  readonly missed: number | undefined;
}

/**
 * A region's watermark: how new a replica must be to be read there, announced to all regions before a change that hides something is
 * acknowledged, and at most WATERMARK_LEASE_MS old if an announcement is missed. It stores only the end of its change feed, so that an
 * eviction does not invalidate its readers' caches.
 */
export class WatermarkObject extends MeteredObject {
  #announced: Bookmark | null = null;
  #current: PrimaryState | undefined;
  /** A newer state, used only after a delay: by then replicas have reached it and no read has to wait. */
  #next: PrimaryState | undefined;
  #reading: Promise<PrimaryState> | undefined;
  /** Bookmarks of single sessions' writes, until the watermark is newer. */
  readonly #sessionWrites = new Map<string, Bookmark>();
  readonly #feed: ChangeFeed;
  /** Members who wrote something in this region that hides nothing: only what is cached about their own sessions is outdated. */
  readonly #otherWrites = new ChangeFeed();
  /** The count of missed announcements when the primary was last read. */
  #missed: number | undefined;
  #isEndStored = false;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const stored = ctx.storage.kv.get<StoredEnd>(ENDED_KEY);
    this.#feed = new ChangeFeed(stored?.mark);
    this.#missed = stored?.missed;
    this.#isEndStored = stored !== undefined;
  }

  /** The oldest state that the session `key` may read now. Throws if the primary could not be read in time. */
  async getSession(key: string, known: KnownSession | null): Promise<SessionState> {
    const primary = await this.#getRecentState();
    const [hiding, other] = [this.#feed, this.#otherWrites];
    const concerns = (changed: ChangedMembers) => known && (changed === "anybody" || changed.includes(known.profileId));
    return {
      bookmark: this.#bookmarkFor(primary, key),
      mark: { hiding: hiding.mark, other: other.mark },
      isCurrent:
        known !== null && !concerns(hiding.since(known.mark.hiding)) && !concerns(other.since(known.mark.other)),
    };
  }

  /** The bookmark with the members concerned by changes since `since`: data read earlier about all others is still valid. */
  async getUpdates(key: string, since: FeedPosition | null): Promise<RegionUpdates> {
    const primary = await this.#getRecentState();
    return { bookmark: this.#bookmarkFor(primary, key), mark: this.#feed.mark, changed: this.#feed.since(since) };
  }

  /** Whether the feed went on between a mark and a time, and its mark then. */
  async getNews(since: FeedPosition | null, until: number): Promise<RegionNews> {
    await this.#getRecentState();
    const mark = this.#feed.markAt(until);
    return { mark, changed: since?.life !== mark.life || since.at < mark.at };
  }

  #bookmarkFor(primary: PrimaryState, key: string): Bookmark | null {
    const state = newest(newest(primary.bookmark, this.#announced), this.#sessionWrites.get(key) ?? null);
    // Message databases that did not respond are left out, and so read from their primaries: announcements may have been missed.
    return restrictTo(state, primary.bookmark);
  }

  recordWrite({ bookmark, key, hides, about }: RecordedWrite): void {
    if (hides) {
      this.#announced = newest(this.#announced, bookmark);
      this.#addToFeed(about ?? "anybody");
    } else if (about) this.#otherWrites.add(about);
    if (key !== undefined)
      this.#sessionWrites.set(key, newest(this.#sessionWrites.get(key) ?? null, bookmark) ?? bookmark);
  }

  /** Deletes the stored end of the feed, which is now outdated, before the change is acknowledged. */
  #addToFeed(about: ChangedMembers): void {
    this.#feed.add(about);
    if (this.#isEndStored) this.ctx.storage.kv.delete(ENDED_KEY);
    this.#isEndStored = false;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.ctx.storage.kv.put<StoredEnd>(ENDED_KEY, { mark: this.#feed.mark, missed: this.#missed });
      this.#isEndStored = true;
    }, IDLE_MS);
  }

  async #getRecentState(): Promise<PrimaryState> {
    const now = Date.now();
    if (this.#next && now - this.#next.at >= WATERMARK_LEASE_MS / 2) this.#activate(this.#next);
    const last = this.#next ?? this.#current;
    if (last === undefined || now - last.at >= WATERMARK_LEASE_MS / 2) {
      const reading = this.#read();
      if (this.#current && now - this.#current.at < WATERMARK_LEASE_MS) reading.catch(() => {});
      else this.#activate(await reading);
    }
    // Never undefined here: it existed or was just activated.
    return this.#current ?? (await this.#read());
  }

  #read(): Promise<PrimaryState> {
    this.#reading ??= (async () => {
      const at = Date.now();
      try {
        const { bookmark, missed } = await readPrimaryState(this.env);
        // Some region, perhaps this one, missed an announcement.
        if (this.#missed !== missed) {
          this.#missed = missed;
          this.#addToFeed("anybody");
        }
        this.#next = { bookmark, at };
        return this.#next;
      } finally {
        this.#reading = undefined;
      }
    })();
    return this.#reading;
  }

  #activate(state: PrimaryState): void {
    this.#current = state;
    if (this.#next === state) this.#next = undefined;
    if (state.bookmark === null) return;
    for (const [key, bookmark] of this.#sessionWrites)
      if (isAtLeast(state.bookmark, bookmark)) this.#sessionWrites.delete(key);
  }
}

/** The members concerned by recent changes, in order. */
/** The changes of some minutes at a million members. Readers further behind must assume that anybody changed. */
const KEPT_MAX = 2000;

class ChangeFeed {
  readonly #life: string;
  readonly #changes: ChangedMembers[] = [];
  /** The position of the oldest change still kept. */
  #start: number;
  /** Of the last change, in periods of LIVE_REFETCH_MS, and the end of the feed before that period. */
  #period = 0;
  #endBefore = 0;

  /** @param end the end of an earlier feed to continue; without it a new feed begins */
  constructor(end?: FeedPosition) {
    this.#life = end?.life ?? crypto.randomUUID();
    this.#start = end?.at ?? 0;
  }

  add(about: ChangedMembers): void {
    if (about.length === 0) return;
    const period = Math.floor(Date.now() / LIVE_REFETCH_MS);
    if (period !== this.#period) {
      this.#period = period;
      this.#endBefore = this.mark.at;
    }
    this.#changes.push(about);
    if (this.#changes.length <= KEPT_MAX) return;
    this.#changes.shift();
    this.#start += 1;
  }

  get mark(): FeedPosition {
    return { life: this.#life, at: this.#start + this.#changes.length };
  }

  /** The end of the feed at the beginning of a period, or of the last one with a change. */
  markAt(ts: number): FeedPosition {
    return ts > this.#period * LIVE_REFETCH_MS ? this.mark : { life: this.#life, at: this.#endBefore };
  }

  since(mark: FeedPosition | null): ChangedMembers {
    if (mark === null || mark.life !== this.#life || mark.at < this.#start) return "anybody";
    const members = new Set<number>();
    for (const about of this.#changes.slice(mark.at - this.#start)) {
      if (about === "anybody") return about;
      for (const member of about) members.add(member);
    }
    return [...members];
  }
}
