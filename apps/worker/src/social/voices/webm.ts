/** A WebM recording: EBML elements, walked as one flat list, since recorders leave the length of a cluster and of the whole open. */
import type { ByteReader } from "../pictures/byte-reader.ts";
import { NotSound } from "./not-sound.ts";

/** Elements that hold others: their header is passed, and what is inside comes next. */
const HOLDERS = new Set([
  0x1a45dfa3, // EBML
  0x18538067, // Segment
  0x1549a966, // Info
  0x1654ae6b, // Tracks
  0xae, // TrackEntry
  0xe1, // Audio
  0x1f43b675, // Cluster
  0xa0, // BlockGroup
]);
/** Numbers that a player needs, and the sound. */
const KEPT = new Set([
  ...[0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285], // versions and the kind of document
  ...[0x2ad7b1, 0x4489], // timestamp scale, duration
  ...[0xd7, 0x73c5, 0x83, 0x86, 0x63a2, 0x56aa, 0x56bb], // track: number, UID, type, codec, its setup, delay, pre-roll
  ...[0xb5, 0x9f, 0x6264, 0x78b5], // sampling, channels, depth
  ...[0xe7, 0xa3, 0xa1, 0x9b, 0x75a2, 0xfb, 0xab, 0xa7], // time, blocks and their durations
]);
/** Have to be there, and name a browser: they keep their place, and lose what they say. */
const BLANKED = new Set([0x4d80, 0x5741]);
const VOID = 0xec;
const AUDIO = 2;
const DEFAULT_SCALE_NS = 1_000_000;

/** Answers the length in milliseconds. */
export function cleanWebm(file: ByteReader): number {
  let at = 0;
  let scaleNs = DEFAULT_SCALE_NS;
  let cluster = 0;
  let last = 0;
  let stated = 0;
  let tracks = 0;
  while (at < file.length) {
    const id = readId(file, at);
    const size = readSize(file, at + id.length);
    const from = at + id.length + size.length;
    if (HOLDERS.has(id.value)) {
      at = from;
      continue;
    }
    // Of open length may be what holds others alone.
    if (size.value === undefined) throw new NotSound();
    file.need(from, size.value);
    if (id.value === 0x2ad7b1) scaleNs = readUint(file, from, size.value);
    else if (id.value === 0x4489) stated = readFloat(file, from, size.value);
    else if (id.value === 0xe7) cluster = readUint(file, from, size.value);
    else if (id.value === 0xa3 || id.value === 0xa1) last = Math.max(last, cluster + readBlockTime(file, from));
    else if (id.value === 0x83) {
      tracks += 1;
      if (tracks > 1 || readUint(file, from, size.value) !== AUDIO) throw new NotSound();
    } else if (id.value === 0x86 && !readCodec(file, from, size.value).startsWith("A_")) throw new NotSound();
    else if (BLANKED.has(id.value)) file.bytes.fill(0, from, from + size.value);
    if (!KEPT.has(id.value) && !BLANKED.has(id.value)) blank(file, at, from + size.value);
    at = from + size.value;
  }
  if (tracks !== 1) throw new NotSound();
  return (Math.max(last, stated) * scaleNs) / 1_000_000;
}

/** Puts an empty element in the place of one that is not kept. */
function blank({ bytes }: ByteReader, from: number, to: number): void {
  const length = to - from;
  bytes.fill(0, from, to);
  bytes[from] = VOID;
  if (length < 10) {
    bytes[from + 1] = 0x80 | (length - 2);
    return;
  }
  bytes[from + 1] = 0x01;
  let rest = length - 9;
  for (let place = from + 8; place > from + 1; place -= 1) {
    bytes[place] = rest & 0xff;
    rest = Math.floor(rest / 256);
  }
}

function readId(file: ByteReader, at: number): { value: number; length: number } {
  const length = Math.clz32(file.u8(at)) - 23;
  if (length > 4) throw new NotSound();
  let value = 0;
  for (let place = 0; place < length; place += 1) value = value * 256 + file.u8(at + place);
  return { value, length };
}

/** undefined: open. */
function readSize(file: ByteReader, at: number): { value: number | undefined; length: number } {
  const first = file.u8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new NotSound();
  let value = first & (0xff >> length);
  let isOpen = value === 0xff >> length;
  for (let place = 1; place < length; place += 1) {
    const byte = file.u8(at + place);
    value = value * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  return { value: isOpen ? undefined : value, length };
}

function readUint(file: ByteReader, at: number, size: number): number {
  if (size > 8) throw new NotSound();
  let value = 0;
  for (let place = 0; place < size; place += 1) value = value * 256 + file.u8(at + place);
  return value;
}

function readFloat(file: ByteReader, at: number, size: number): number {
  file.need(at, size);
  const view = new DataView(file.bytes.buffer, file.bytes.byteOffset + at, size);
  const value = size === 4 ? view.getFloat32(0) : size === 8 ? view.getFloat64(0) : Number.NaN;
  if (!(value >= 0)) throw new NotSound();
  return value;
}

/** Of a block, relative to its cluster: behind the number of its track. */
function readBlockTime(file: ByteReader, at: number): number {
  const track = readSize(file, at);
  const time = file.u16be(at + track.length);
  return time > 0x7fff ? time - 0x10000 : time;
}

function readCodec(file: ByteReader, at: number, size: number): string {
  return String.fromCharCode(...file.bytes.subarray(at, at + Math.min(size, 40)));
}
