import { getBrand } from "@lambda/brands";
import { PICTURE_RIGHTS_CACHE_MS } from "@lambda/contract/limits";
import { findViewerByTokenHash } from "../accounts/sessions/viewer.ts";
import { openDatabase } from "../platform/db/database.ts";
import { RequestDatabase } from "../platform/db/request-database.ts";
import { logFault } from "../platform/log.ts";
import { type DatabaseCost, meterDatabase } from "../platform/metering/meter-database.ts";
import { MeteredObject } from "../platform/metering/metered-object.ts";
import type { FeedPosition, PictureLookupRequest, RegionUpdates } from "../platform/objects.ts";
import type { CachedPictureLookup, VisiblePicture } from "../platform/picture-lookup.ts";
import { fetchRegionUpdates } from "../platform/replication/watermarks.ts";
import type { Viewer } from "../platform/viewer.ts";
import { listPictureAccess } from "./access.ts";

/** About as many pictures as a member scrolls past in a few minutes; the oldest are evicted. */
const CACHED_MAX = 1000;
/** The pictures of a first screen are requested within this time, and can share one query. */
const GATHER_MS = 5;

interface Cached<Value> {
  readonly value: Value;
  /** When it was read, by the request's clock. */
  readonly at: number;
  /** When it expires because an album grant does. */
  readonly until: number;
}

interface PendingRequest {
  readonly request: PictureLookupRequest;
  readonly resolve: (lookups: (CachedPictureLookup | null)[]) => void;
}

/**
 * Caches for minutes, in memory, which pictures one session may see; concurrent requests share one query. Each round first asks the
 * region's watermark which members had changes since the last one and drops what concerns them, so that a revoke takes effect with the
 * next request.
 */
export class PictureRights extends MeteredObject {
  #mark: FeedPosition | null = null;
  #viewer: Cached<Viewer> | undefined;
  readonly #cache = new Map<number, Cached<VisiblePicture>>();
  #pending: PendingRequest[] = [];
  #isProcessing = false;

  /** Resolves to an entry for each id: null, or an empty list, means that the request has to query the database itself. */
  open(request: PictureLookupRequest): Promise<(CachedPictureLookup | null)[]> {
    return new Promise((resolve) => {
      this.#pending.push({ request, resolve });
      void this.#processAll();
    });
  }

  /** Processes requests in rounds. A request that arrives during a round needs a newer watermark, so it waits for the next round. */
  async #processAll(): Promise<void> {
    if (this.#isProcessing) return;
    this.#isProcessing = true;
    if (!this.#viewer) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    while (this.#pending.length > 0) {
      const round = this.#pending;
      this.#pending = [];
      try {
        await this.#process(round);
      } catch (error) {
        logFault({ event: "picture-rights" }, error);
        for (const { resolve } of round) resolve([]);
      }
    }
    this.#isProcessing = false;
  }

  async #process(round: readonly PendingRequest[]): Promise<void> {
    const first = round[0]?.request;
    if (!first) return;
    const { brand, reader, seeExplicit, now } = first;
    const updates = await fetchRegionUpdates(this.env, reader, this.#mark);
    this.#evict(updates, now);
    const cost: DatabaseCost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
    const { nearby } = new RequestDatabase(this.env.DB, { at: "nearby", bookmark: updates.bookmark });
    const d1 = meterDatabase(nearby, cost);
    const viewer = await this.#findViewer(d1, first);
    if (!viewer) {
      for (const { resolve } of round) resolve([]);
      return;
    }
    const requested = [...new Set(round.flatMap(({ request }) => request.ids))];
    const missing = requested.filter((id) => !this.#cache.has(id));
    const ctx = { d1, db: openDatabase(d1), brand: getBrand(brand), viewer, now, seeExplicit };
    const queried = await listPictureAccess(ctx, missing);
    for (const { id, picture, until } of queried) {
      if (picture && until !== undefined) this.#cache.set(id, { value: picture, at: now, until });
    }
    const fresh = new Map(queried.map(({ id, picture }) => [id, picture]));
    // The shared query's cost is charged to the first result only.
    let uncharged = cost;
    const lookupOf = (id: number): CachedPictureLookup | null => {
      const picture = fresh.has(id) ? fresh.get(id) : this.#cache.get(id)?.value;
      if (picture === null) return null;
      const charged = uncharged;
      uncharged = { trips: 0, rowsRead: 0, rowsWritten: 0 };
      return { id, viewer, picture, cost: charged };
    };
    for (const { request, resolve } of round) resolve(request.ids.map(lookupOf));
    for (const id of this.#cache.keys()) if (this.#cache.size > CACHED_MAX) this.#cache.delete(id);
  }

  #evict({ changed, mark }: RegionUpdates, now: number): void {
    this.#mark = mark;
    const isExpired = ({ at, until }: Cached<unknown>) => Math.abs(now - at) >= PICTURE_RIGHTS_CACHE_MS || until <= now;
    const viewer = this.#viewer;
    if (!viewer || changed === "anybody" || changed.includes(viewer.value.profileId) || isExpired(viewer)) {
      this.#viewer = undefined;
      this.#cache.clear();
      return;
    }
    const changedIds = new Set(changed);
    for (const [id, cached] of this.#cache) {
      if (isExpired(cached) || changedIds.has(cached.value.profile_id)) this.#cache.delete(id);
    }
  }

  async #findViewer(
    d1: D1Database,
    { tokenHash, unlockHash, brand, now }: PictureLookupRequest,
  ): Promise<Viewer | null> {
    if (this.#viewer) return this.#viewer.value;
    const waitUntil = (work: Promise<unknown>) =>
      this.ctx.waitUntil(work.catch((error) => logFault({ event: "picture-rights" }, error)));
    const viewer = await findViewerByTokenHash(openDatabase(d1), tokenHash, {
      brand: getBrand(brand),
      now,
      waitUntil,
      unlockHash,
    });
    if (viewer) this.#viewer = { value: viewer, at: now, until: Number.POSITIVE_INFINITY };
    return viewer;
  }
}
