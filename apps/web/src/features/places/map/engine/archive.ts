import { type Entry, type Header, PMTiles, type RangeResponse, SharedPromiseCache } from "pmtiles";
import { ARCHIVE_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";

/** Tiles of the archive's highest zoom that are kept: more than a view shows of them. */
const DEEPEST_TILES_KEPT = 16;

/**
 * The library keeps the failure to read an archive's header or directory, and would refuse all its tiles until the page is reloaded. A read
 * that is never answered is a failure too.
 */
class RetryingCache extends SharedPromiseCache {
  override getHeader(...args: Parameters<SharedPromiseCache["getHeader"]>): Promise<Header> {
    return this.#forgetFailure(super.getHeader(...args));
  }

  override getDirectory(...args: Parameters<SharedPromiseCache["getDirectory"]>): Promise<Entry[]> {
    return this.#forgetFailure(super.getDirectory(...args));
  }

  async #forgetFailure<Value>(reading: Promise<Value>): Promise<Value> {
    try {
      return await withDeadline(ARCHIVE_WAIT_MS, () => reading);
    } catch (error) {
      this.cache.clear();
      throw error;
    }
  }
}

/**
 * Reads a tile of the highest zoom once. Zoomed in further, MapLibre splits it and requests it for each part, and the name of the place is
 * in it too.
 */
class Archive extends PMTiles {
  #deepest = new Map<string, Promise<RangeResponse | undefined>>();

  override async getZxy(z: number, x: number, y: number, signal?: AbortSignal): Promise<RangeResponse | undefined> {
    const { maxZoom } = await this.getHeader();
    if (z < maxZoom) return super.getZxy(z, x, y, signal);
    const key = `${x}/${y}`;
    const reading = this.#deepest.get(key) ?? withDeadline(ARCHIVE_WAIT_MS, () => super.getZxy(z, x, y));
    this.#deepest.delete(key);
    this.#deepest.set(key, reading);
    for (const oldest of this.#deepest.keys())
      if (this.#deepest.size > DEEPEST_TILES_KEPT) this.#deepest.delete(oldest);
    const tile = await reading.catch((error: unknown) => {
      this.#deepest.delete(key);
      throw error;
    });
    signal?.throwIfAborted();
    // A copy, since the map transfers the bytes to its worker.
    return tile && { ...tile, data: tile.data.slice(0) };
  }
}

const archives = new Map<string, PMTiles>();

/** The page's one reader of an archive. */
export function openArchive(url: string): PMTiles {
  const archive = archives.get(url) ?? new Archive(url, new RetryingCache());
  archives.set(url, archive);
  return archive;
}
