import { createHash } from "node:crypto";
import { PMTiles, TileType } from "pmtiles";
import { expect, test } from "vitest";
import { type ArchiveInfo, type ArchiveTile, writeArchive } from "./pmtiles-archive.ts";

const info: ArchiveInfo = {
  minZoom: 0,
  maxZoom: 8,
  bounds: [-10, -20, 30, 40],
  center: [5, 6, 3],
  metadata: { name: "t" },
};

function open(archive: Uint8Array): PMTiles {
  const bytes = Uint8Array.from(archive);
  return new PMTiles({
    getKey: () => "memory",
    getBytes: async (offset, length) => ({ data: bytes.slice(offset, offset + length).buffer }),
  });
}

function everyTile(zoom: number, content: (x: number, y: number) => string): ArchiveTile[] {
  const side = 2 ** zoom;
  return Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return { z: zoom, x, y, data: new TextEncoder().encode(content(x, y)) };
  });
}

test("stores every tile, and no others", async () => {
  const archive = open(
    writeArchive(
      everyTile(3, (x, y) => `tile ${x} ${y}`),
      info,
    ),
  );
  for (const [x, y] of [
    [0, 0],
    [7, 7],
    [3, 5],
  ] as const) {
    const tile = await archive.getZxy(3, x, y);
    expect(new TextDecoder().decode(tile?.data)).toBe(`tile ${x} ${y}`);
  }
  expect(await archive.getZxy(4, 0, 0)).toBeUndefined();
});

test("writes bounds, center and zooms into the header", async () => {
  const archive = open(
    writeArchive(
      everyTile(1, () => "same"),
      info,
    ),
  );
  const header = await archive.getHeader();
  expect(header).toMatchObject({
    minLon: -10,
    minLat: -20,
    maxLon: 30,
    maxLat: 40,
    centerLon: 5,
    centerLat: 6,
    centerZoom: 3,
  });
  expect(header).toMatchObject({ minZoom: 0, maxZoom: 8, tileType: TileType.Mvt, clustered: true });
  expect(await archive.getMetadata()).toEqual({ name: "t" });
});

test("stores identical tiles once", async () => {
  const archive = open(
    writeArchive(
      everyTile(4, (x) => (x < 8 ? "west" : "east")),
      info,
    ),
  );
  const header = await archive.getHeader();
  expect(header.numAddressedTiles).toBe(256);
  expect(header.numTileContents).toBe(2);
  expect(header.numTileEntries).toBeLessThan(5);
  expect(new TextDecoder().decode((await archive.getZxy(4, 8, 15))?.data)).toBe("east");
});

test("splits a directory that is too large for the first fetch", async () => {
  // A few contents in random order force one entry per tile with offsets that compress badly.
  const digestOf = (value: string) => createHash("sha512").update(value).digest("hex");
  const content = (x: number, y: number) => {
    const which = Number.parseInt(digestOf(`${x} ${y}`).slice(0, 6), 16) % 300;
    return digestOf(`${which}`).slice(0, 20 + (which % 100));
  };
  const archive = open(writeArchive(everyTile(7, content), info));
  const header = await archive.getHeader();
  expect(header.leafDirectoryLength).toBeGreaterThan(0);
  expect(header.rootDirectoryOffset + header.rootDirectoryLength).toBeLessThanOrEqual(16384);
  for (const [x, y] of [
    [0, 0],
    [100, 101],
    [127, 0],
    [127, 127],
  ] as const) {
    expect(new TextDecoder().decode((await archive.getZxy(7, x, y))?.data)).toBe(content(x, y));
  }
}, 30_000);

test("produces the same bytes whatever the order of tiles", () => {
  const tiles = everyTile(3, (x, y) => `${x * y}`);
  expect(writeArchive(tiles.toReversed(), info)).toEqual(writeArchive(tiles, info));
});
