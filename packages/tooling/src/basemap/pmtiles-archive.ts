import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { zxyToTileId } from "pmtiles";

/**
 * Writes a PMTiles v3 archive: clustered, identical tiles stored once, runs of identical tiles in one entry, directories and tiles
 * gzipped. The output is deterministic.
 */

const HEADER_BYTES = 127;
/** Size of a reader's first request; the header and root directory must fit into it. */
const FIRST_FETCH_BYTES = 16384;
const GZIP = 2;
const MVT = 1;

export interface ArchiveTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** An encoded, uncompressed vector tile. */
  readonly data: Uint8Array;
}

export interface ArchiveInfo {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. Required, because readers interpret zeros as "nowhere". */
  readonly bounds: readonly [number, number, number, number];
  /** Longitude, latitude, zoom. */
  readonly center: readonly [number, number, number];
  readonly metadata: object;
}

interface Entry {
  tileId: number;
  offset: number;
  length: number;
  /** Number of consecutive tiles with this content; 0 marks a pointer to a leaf directory. */
  runLength: number;
}

export function writeArchive(tiles: readonly ArchiveTile[], info: ArchiveInfo): Uint8Array {
  const ordered = tiles
    .map((tile) => ({ tileId: zxyToTileId(tile.z, tile.x, tile.y), data: tile.data }))
    .sort((a, b) => a.tileId - b.tileId);

  const stored = new Map<string, { offset: number; length: number }>();
  const contents: Uint8Array[] = [];
  const entries: Entry[] = [];
  let end = 0;
  for (const { tileId, data } of ordered) {
    const digest = createHash("sha256").update(data).digest("base64");
    let place = stored.get(digest);
    if (!place) {
      const packed = gzip(data);
      place = { offset: end, length: packed.length };
      stored.set(digest, place);
      contents.push(packed);
      end += packed.length;
    }
    const last = entries.at(-1);
    if (last && last.offset === place.offset && last.tileId + last.runLength === tileId) last.runLength += 1;
    else entries.push({ tileId, ...place, runLength: 1 });
  }

  const { root, leaves } = buildDirectories(entries);
  const metadata = gzip(Buffer.from(JSON.stringify(info.metadata)));
  const metadataAt = HEADER_BYTES + root.length;
  const leavesAt = metadataAt + metadata.length;
  const dataAt = leavesAt + leaves.length;

  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", 0, "latin1");
  header.writeUInt8(3, 7);
  const lengths = [HEADER_BYTES, root.length, metadataAt, metadata.length, leavesAt, leaves.length, dataAt, end];
  const counts = [ordered.length, entries.length, stored.size];
  for (const [i, value] of [...lengths, ...counts].entries()) header.writeBigUInt64LE(BigInt(value), 8 + i * 8);
  header.writeUInt8(1, 96);
  header.writeUInt8(GZIP, 97);
  header.writeUInt8(GZIP, 98);
  header.writeUInt8(MVT, 99);
  header.writeUInt8(info.minZoom, 100);
  header.writeUInt8(info.maxZoom, 101);
  for (const [i, degrees] of info.bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4);
  header.writeUInt8(info.center[2], 118);
  header.writeInt32LE(Math.round(info.center[0] * 1e7), 119);
  header.writeInt32LE(Math.round(info.center[1] * 1e7), 123);
  return Buffer.concat([header, root, metadata, leaves, ...contents]);
}

/** A single root directory if it fits into the first request, else a root that points to leaf directories. */
function buildDirectories(entries: Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const flat = gzip(encodeDirectory(entries));
  if (flat.length <= FIRST_FETCH_BYTES - HEADER_BYTES) return { root: flat, leaves: Buffer.alloc(0) };
  for (let size = 1024; ; size *= 2) {
    const pointers: Entry[] = [];
    const leaves: Uint8Array[] = [];
    let offset = 0;
    for (let at = 0; at < entries.length; at += size) {
      const leaf = gzip(encodeDirectory(entries.slice(at, at + size)));
      pointers.push({ tileId: entries[at]!.tileId, offset, length: leaf.length, runLength: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = gzip(encodeDirectory(pointers));
    if (root.length <= FIRST_FETCH_BYTES - HEADER_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

function encodeDirectory(entries: readonly Entry[]): Uint8Array {
  const numbers: number[] = [entries.length];
  for (const [i, entry] of entries.entries()) numbers.push(entry.tileId - (entries[i - 1]?.tileId ?? 0));
  for (const entry of entries) numbers.push(entry.runLength);
  for (const entry of entries) numbers.push(entry.length);
  for (const [i, entry] of entries.entries()) {
    const before = entries[i - 1];
    numbers.push(before && before.offset + before.length === entry.offset ? 0 : entry.offset + 1);
  }
  const bytes: number[] = [];
  for (let value of numbers) {
    while (value >= 128) {
      bytes.push((value % 128) | 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

function gzip(data: Uint8Array): Uint8Array {
  const packed = gzipSync(data, { level: 9 });
  // Sets the operating system in the gzip header to "unknown", so that every machine writes the same bytes.
  packed[9] = 255;
  return packed;
}
