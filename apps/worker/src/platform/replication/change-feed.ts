/** The members concerned by recent changes, in order. */

import type { ChangedMembers, FeedPosition } from "../objects.ts";

/** The changes of some minutes at a million members. Readers further behind must assume that anybody changed. */
const KEPT_MAX = 2000;

export class ChangeFeed {
  readonly #life: string;
  readonly #changes: ChangedMembers[] = [];
  readonly #times: number[] = [];
  /** The position of the oldest change still kept. */
  #start: number;

  /** @param end the end of an earlier feed to continue; without it a new feed begins */
  constructor(end?: FeedPosition) {
    this.#life = end?.life ?? crypto.randomUUID();
    this.#start = end?.at ?? 0;
  }

  add(about: ChangedMembers): void {
    if (about.length === 0) return;
    this.#changes.push(about);
    this.#times.push(Date.now());
    if (this.#changes.length <= KEPT_MAX) return;
    this.#changes.shift();
    this.#times.shift();
    this.#start += 1;
  }

  get mark(): FeedPosition {
    return { life: this.#life, at: this.#start + this.#changes.length };
  }

  /** The end of the feed as it was at a time. */
  markAt(ts: number): FeedPosition {
    const later = this.#times.filter((time) => time >= ts).length;
    return { ...this.mark, at: this.mark.at - later };
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
