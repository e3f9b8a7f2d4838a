import { type Entry, type Header, PMTiles, SharedPromiseCache } from "pmtiles";

/** The library keeps the failure to read an archive's header or directory, and would refuse all its tiles until the page is reloaded. */
class RetryingCache extends SharedPromiseCache {
  override getHeader(...args: Parameters<SharedPromiseCache["getHeader"]>): Promise<Header> {
    return this.#forgetFailure(super.getHeader(...args));
  }

  override getDirectory(...args: Parameters<SharedPromiseCache["getDirectory"]>): Promise<Entry[]> {
    return this.#forgetFailure(super.getDirectory(...args));
  }

  async #forgetFailure<Value>(reading: Promise<Value>): Promise<Value> {
    try {
      return await reading;
    } catch (error) {
      this.cache.clear();
      throw error;
    }
  }
}

export const openArchive = (url: string): PMTiles => new PMTiles(url, new RetryingCache());
