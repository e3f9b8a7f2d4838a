/** The members concerned by recent changes, in order. */
import { LIVE_REFETCH_MS } from "@lambda/contract/limits";
import type { ChangedMembers, FeedPosition } from "../objects.ts";

/** The changes of some minutes at a million members. Readers further behind must assume that anybody changed. */
const KEPT_MAX = 2000;

export class ChangeFeed {
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
