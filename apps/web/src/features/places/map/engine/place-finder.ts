import { PLACE_INDEX, type PlaceIndex, WORLD_ARCHIVE } from "@lambda/contract/map-archives";
import type { Point } from "@lambda/geo/distance";
import { ARCHIVE_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import { archiveUrl, fetchRegions } from "../data/regions.ts";
import { type KnownPlace, knownPlace, readPlaceIndex } from "../search/place-matches.ts";
import { openArchive } from "./archive.ts";
import { PlaceNames } from "./place-names.ts";
import { StreetTiles } from "./street-tiles.ts";

/**
 * Reads what a search for places knows from the map's archives: the same files for whatever is looked for, so that no server learns the
 * text. Rejects if nothing can be read.
 */
export async function loadPlaces(near: Point, locale: string): Promise<(readonly KnownPlace[])[]> {
  const world = openArchive(archiveUrl(WORLD_ARCHIVE));
  const streets = new StreetTiles();
  const loading = [
    withDeadline(ARCHIVE_WAIT_MS, () => world.getMetadata()).then((metadata) => {
      const index = (metadata as { [PLACE_INDEX]?: PlaceIndex })[PLACE_INDEX];
      return index ? readPlaceIndex(index, locale) : [];
    }),
    fetchRegions()
      .catch(() => [])
      .then((regions) => {
        streets.setRegions(regions);
        return new PlaceNames(world, locale, streets).placesNear(near.lat, near.lon);
      })
      .then((places) => places.map(({ name, aliases = [], ...place }) => knownPlace([name, ...aliases], place))),
  ];
  const lists = await Promise.allSettled(loading);
  const loaded = lists.flatMap((list) => (list.status === "fulfilled" ? [list.value] : []));
  if (loaded.length === 0) throw new Error("no archive could be read");
  return loaded;
}
