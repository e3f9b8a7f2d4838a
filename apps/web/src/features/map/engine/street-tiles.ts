import type { MapRegion } from "@lambda/contract/map-archives";
import { PMTiles } from "pmtiles";
import { archiveUrl, regionOfTile } from "../data/regions.ts";

/** Reads tiles of streets from whichever region's archive holds them. */
export class StreetTiles {
  #regions: readonly MapRegion[] = [];
  #archives = new Map<string, PMTiles>();

  setRegions(regions: readonly MapRegion[]): void {
    this.#regions = regions;
  }

  get regions(): readonly MapRegion[] {
    return this.#regions;
  }

  /** An empty tile where no region is: the world shows through. */
  async tile(z: number, x: number, y: number, signal?: AbortSignal): Promise<ArrayBuffer> {
    const region = regionOfTile(this.#regions, { z, x, y });
    const tile = region && (await this.#archive(region.name).getZxy(z, x, y, signal));
    return tile?.data ?? new ArrayBuffer(0);
  }

  #archive(name: string): PMTiles {
    const archive = this.#archives.get(name) ?? new PMTiles(archiveUrl(name));
    this.#archives.set(name, archive);
    return archive;
  }
}
