import { DurableObject } from "cloudflare:workers";
import { getBrand } from "@lambda/brands";
import { PICTURE_RIGHT_MS } from "@lambda/contract/limits";
import { findViewerOf } from "../../members/sessions/viewer.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { type DatabaseCost, meterDatabase } from "../../platform/db/meter.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import type { Env } from "../../platform/env.ts";
import type { KnownPicture, OpenPicture } from "../../platform/known-picture.ts";
import { logFault } from "../../platform/log.ts";
import { askNews } from "../../platform/near/watermarks.ts";
import type { FeedMark, News, PictureAsk } from "../../platform/objects.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { judgePictures } from "./access.ts";

/** As many as a member scrolls past in a few minutes; the oldest go. */
const KEPT_MAX = 1000;
const GATHERED_MS = 5;

interface Kept<Value> {
  readonly value: Value;
  /** When it was read, by the clock of the request. */
  readonly at: number;
  /** When what it follows from ends by itself. */
  readonly until: number;
}

interface Waiting {
  readonly ask: PictureAsk;
  readonly answer: (known: (KnownPicture | null)[]) => void;
}

/**
 * What one session may see of pictures, one place after the other: a screen's pictures come together and are asked about together, and
 * what was answered once is kept for minutes. Each round first asks the region's watermark whom anything was told about since the last
 * one, and forgets what concerns them; so a revoke holds from the next request on. It keeps no more than that, and only in memory.
 */
export class PictureRights extends DurableObject<Env> {
  #mark: FeedMark | null = null;
  #viewer: Kept<Viewer> | undefined;
  readonly #open = new Map<number, Kept<OpenPicture>>();
  #waiting: Waiting[] = [];
  #isAnswering = false;

  /** One answer for each id: null, or none at all, where the request has to find out by itself. */
  open(ask: PictureAsk): Promise<(KnownPicture | null)[]> {
    return new Promise((answer) => {
      this.#waiting.push({ ask, answer });
      void this.#answerAll();
    });
  }

  /** One round after the other: who comes while the watermark is asked was not meant by its answer, and waits for the next. */
  async #answerAll(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    // The pictures of a first screen come within moments of each other.
    if (!this.#viewer) await new Promise((resolve) => setTimeout(resolve, GATHERED_MS));
    while (this.#waiting.length > 0) {
      const round = this.#waiting;
      this.#waiting = [];
      try {
        await this.#answer(round);
      } catch (error) {
        logFault({ event: "picture-rights" }, error);
        for (const { answer } of round) answer([]);
      }
    }
    this.#isAnswering = false;
  }

  async #answer(round: readonly Waiting[]): Promise<void> {
    const first = round[0]?.ask;
    if (!first) return;
    const { brand, reader, seeExplicit, now } = first;
    const news = await askNews(this.env, reader, this.#mark);
    this.#forget(news, now);
    const cost: DatabaseCost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
    const { near } = new RequestDatabase(this.env.DB, { at: "replica", bookmark: news.bookmark });
    const d1 = meterDatabase(near, cost);
    const viewer = await this.#proveSession(d1, first);
    if (!viewer) {
      for (const { answer } of round) answer([]);
      return;
    }
    const asked = [...new Set(round.flatMap(({ ask }) => ask.ids))];
    const missing = asked.filter((id) => !this.#open.has(id));
    const asker = { d1, db: openDatabase(d1), brand: getBrand(brand), viewer, now, seeExplicit };
    const judged = await judgePictures(asker, missing);
    for (const { id, picture, until } of judged) {
      if (picture && until !== undefined) this.#open.set(id, { value: picture, at: now, until });
    }
    const fresh = new Map(judged.map(({ id, picture }) => [id, picture]));
    // What was read for all of them is counted once.
    let unpaid = cost;
    const answerFor = (id: number): KnownPicture | null => {
      const picture = fresh.has(id) ? fresh.get(id) : this.#open.get(id)?.value;
      if (picture === null) return null;
      const paid = unpaid;
      unpaid = { trips: 0, rowsRead: 0, rowsWritten: 0 };
      return { id, viewer, picture, cost: paid };
    };
    for (const { ask, answer } of round) answer(ask.ids.map(answerFor));
    for (const id of this.#open.keys()) if (this.#open.size > KEPT_MAX) this.#open.delete(id);
  }

  #forget({ changed, mark }: News, now: number): void {
    this.#mark = mark;
    const isOver = ({ at, until }: Kept<unknown>) => Math.abs(now - at) >= PICTURE_RIGHT_MS || until <= now;
    const viewer = this.#viewer;
    if (!viewer || changed === "anybody" || changed.includes(viewer.value.profileId) || isOver(viewer)) {
      this.#viewer = undefined;
      this.#open.clear();
      return;
    }
    const concerned = new Set(changed);
    for (const [id, kept] of this.#open) {
      if (isOver(kept) || concerned.has(kept.value.profile_id)) this.#open.delete(id);
    }
  }

  async #proveSession(d1: D1Database, { tokenHash, brand, now }: PictureAsk): Promise<Viewer | null> {
    if (this.#viewer) return this.#viewer.value;
    const waitUntil = (work: Promise<unknown>) =>
      this.ctx.waitUntil(work.catch((error) => logFault({ event: "picture-rights" }, error)));
    const viewer = await findViewerOf(openDatabase(d1), tokenHash, { brand: getBrand(brand), now, waitUntil });
    if (viewer) this.#viewer = { value: viewer, at: now, until: Number.POSITIVE_INFINITY };
    return viewer;
  }
}
