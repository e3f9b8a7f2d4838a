import type { MapRegion } from "@lambda/contract/map-archives";
import { archiveUrl, findRegionForTile } from "../data/regions.ts";
import { openArchive } from "./archive.ts";

export class StreetTiles {
  #regions: readonly MapRegion[] = [];

  setRegions(regions: readonly MapRegion[]): void {
    this.#regions = regions;
  }

  get regions(): readonly MapRegion[] {
    return this.#regions;
  }

  /** Returns an empty tile outside of all regions, so that the world map shows through. */
  async fetchTile(z: number, x: number, y: number, signal?: AbortSignal): Promise<ArrayBuffer> {
    const region = findRegionForTile(this.#regions, { z, x, y });
    const tile = region && (await openArchive(archiveUrl(region.name)).getZxy(z, x, y, signal));
    return tile?.data ?? new ArrayBuffer(0);
  }
}
