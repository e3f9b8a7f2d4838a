/** Whom recent changes were about, in the order in which they were told. */

import type { Changed, FeedMark } from "../objects.ts";

/** As many as come in some minutes at a million members. Whoever has not asked for longer starts anew. */
const KEPT_MAX = 2000;

export class ChangeFeed {
  readonly #life: string;
  readonly #changes: Changed[] = [];
  /** The place of the first change that is still kept. */
  #from: number;

  /** @param from where a feed ended that goes on here; without it a new one begins */
  constructor(from?: FeedMark) {
    this.#life = from?.life ?? crypto.randomUUID();
    this.#from = from?.at ?? 0;
  }

  add(about: Changed): void {
    this.#changes.push(about);
    if (this.#changes.length <= KEPT_MAX) return;
    this.#changes.shift();
    this.#from += 1;
  }

  get mark(): FeedMark {
    return { life: this.#life, at: this.#from + this.#changes.length };
  }

  since(mark: FeedMark | null): Changed {
    if (mark === null || mark.life !== this.#life || mark.at < this.#from) return "anybody";
    const members = new Set<number>();
    for (const about of this.#changes.slice(mark.at - this.#from)) {
      if (about === "anybody") return about;
      for (const member of about) members.add(member);
    }
    return [...members];
  }
}
