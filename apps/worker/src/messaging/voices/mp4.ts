/** MP4 recordings, fragmented or not. */
import type { ByteReader } from "../../pictures/byte-reader.ts";
import { InvalidAudioError } from "./invalid-audio-error.ts";
import { SampleMap } from "./mp4-samples.ts";

/** Boxes that contain others, with the offset of their content. */
const CONTAINERS: Readonly<Record<string, number>> = {
  moov: 8,
  trak: 8,
  edts: 8,
  mdia: 8,
  minf: 8,
  dinf: 8,
  stbl: 8,
  mvex: 8,
  moof: 8,
  traf: 8,
};
const AUDIO_CODECS = ["mp4a", "Opus"];
/** How a codec is set up; with 64 bytes there is room for every channel of a surround. */
const CODEC_BOXES = ["esds", "dOps"];
const CODEC_BOX_MAX_BYTES = 64;
/** An audio entry without the boxes in it. */
const AUDIO_ENTRY_BYTES = 36;
const BRANDS = new Set([
  "isom",
  "mp41",
  "mp42",
  "M4A ",
  "dash",
  "hlsf",
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `iso${n}`),
]);
const codeOf = (name: string) => new TextEncoder().encode(name);
const ISOM = codeOf("isom");
const FREE = codeOf("free");
/** No recording comes near this number of boxes, nor this depth. */
const BOXES_MAX = 20_000;
const DEPTH_MAX = 10;
/** A frame of AAC at the highest rate of a device; recorders' packets of Opus last longer. However short a file says they are, each is played. */
const FRAME_MS_MIN = (1024 / 96_000) * 1000;

interface Walk {
  readonly file: ByteReader;
  readonly samples: SampleMap;
  boxes: number;
  tracks: number;
  audioEntries: number;
  timescale: number;
  declaredDuration: number;
  /** The duration of all samples in tables and in fragments, in units of the timescale. */
  listedDuration: number;
  summedDuration: number;
  frames: number;
  defaultDuration: number;
  /** Undefined until the fragment's header was read. */
  fragmentDuration: number | undefined;
}

/** Blanks everything that is not sound, and returns the duration in milliseconds. */
export function cleanMp4(file: ByteReader): number {
  const walk: Walk = {
    file,
    samples: new SampleMap(file),
    boxes: 0,
    tracks: 0,
    audioEntries: 0,
    timescale: 0,
    declaredDuration: 0,
    listedDuration: 0,
    summedDuration: 0,
    frames: 0,
    defaultDuration: 0,
    fragmentDuration: undefined,
  };
  walkBoxes(walk, 0, file.length, 0);
  walk.samples.clearRest();
  if (walk.tracks !== 1 || walk.audioEntries !== 1 || walk.timescale === 0) throw new InvalidAudioError();
  const duration = Math.max(walk.declaredDuration, walk.listedDuration, walk.summedDuration);
  return Math.max((duration / walk.timescale) * 1000, walk.frames * FRAME_MS_MIN);
}

function walkBoxes(walk: Walk, from: number, to: number, depth: number): void {
  const { file } = walk;
  if (depth > DEPTH_MAX) throw new InvalidAudioError();
  for (let at = from; at < to; ) {
    walk.boxes += 1;
    if (walk.boxes > BOXES_MAX) throw new InvalidAudioError();
    const size = file.u32be(at);
    const kind = file.code(at + 4);
    // The sizes 0 and 1 mean "to the end" and "64 bit", which no recording of this length needs.
    if (size < 8 || at + size > to) throw new InvalidAudioError();
    const contentOffset = CONTAINERS[kind];
    const read = READERS[kind];
    if (kind === "trak") walk.tracks += 1;
    if (kind === "moof") walk.samples.startFragment(at);
    if (kind === "traf") walk.fragmentDuration = undefined;
    if (contentOffset !== undefined) walkBoxes(walk, at + contentOffset, at + size, depth + 1);
    else if (kind === "mdat") walk.samples.addMedia(at + 8, at + size);
    else if (read) file.bytes.fill(0, at + 8 + read(walk, at + 8, size - 8), at + size);
    else blank(file, at, size);
    at += size;
  }
}

/** The length of a table with `width` bytes a row, whose count comes first. */
const tableLength = ({ file }: Walk, at: number, width: number): number => 8 + file.u32be(at + 4) * width;

const isLong = ({ file }: Walk, at: number) => file.u8(at) === 1;

/**
 * The boxes that a player needs. Each reader returns the length of what it knows: what follows is blanked, as are all other boxes that
 * a recorder writes (names, dates, places).
 */
const READERS: Readonly<Record<string, (walk: Walk, at: number, size: number) => number>> = {
  ftyp: readBrands,
  styp: readBrands,
  mvhd: (walk, at) => (clearTimes(walk, at) ? 112 : 100),
  tkhd: (walk, at) => (clearTimes(walk, at) ? 96 : 84),
  mdhd: (walk, at) => {
    const { file } = walk;
    const long = clearTimes(walk, at);
    walk.timescale = file.u32be(at + (long ? 20 : 12));
    walk.declaredDuration = long ? file.u32be(at + 24) * 2 ** 32 + file.u32be(at + 28) : file.u32be(at + 16);
    if (walk.declaredDuration >= 0xffffffff) walk.declaredDuration = 0;
    return long ? 36 : 24;
  },
  elst: (walk, at) => tableLength(walk, at, isLong(walk, at) ? 20 : 12),
  hdlr: ({ file }, at) => {
    if (file.code(at + 8) !== "soun") throw new InvalidAudioError();
    // The name that follows is free text, and may name a device.
    return 24;
  },
  smhd: () => 8,
  // One reference, to this file: an address would follow.
  dref: () => 20,
  stsd: readDescription,
  stts: (walk, at) => {
    const length = tableLength(walk, at, 8);
    walk.file.need(at, length);
    for (let row = at + 8; row < at + length; row += 8) {
      walk.frames += walk.file.u32be(row);
      walk.listedDuration += walk.file.u32be(row) * walk.file.u32be(row + 4);
    }
    return length;
  },
  stsc: (walk, at) => {
    walk.samples.readChunkRuns(at);
    return tableLength(walk, at, 12);
  },
  stsz: (walk, at) => {
    walk.samples.readSizes(at);
    return walk.file.u32be(at + 4) ? 12 : 4 + tableLength(walk, at + 4, 4);
  },
  stco: (walk, at) => {
    walk.samples.readChunkOffsets(at, false);
    return tableLength(walk, at, 4);
  },
  co64: (walk, at) => {
    walk.samples.readChunkOffsets(at, true);
    return tableLength(walk, at, 8);
  },
  mehd: (walk, at) => (isLong(walk, at) ? 12 : 8),
  trex: (walk, at) => {
    walk.defaultDuration = walk.file.u32be(at + 12);
    walk.samples.readDefaults(at);
    return 24;
  },
  mfhd: () => 8,
  tfhd: (walk, at) => {
    const { file } = walk;
    const flags = file.u32be(at) & 0xffffff;
    const place = at + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
    walk.fragmentDuration = flags & 0x8 ? file.u32be(place) : walk.defaultDuration;
    walk.samples.readFragmentHeader(at, flags);
    return place - at + [0x8, 0x10, 0x20].filter((flag) => flags & flag).length * 4;
  },
  tfdt: (walk, at) => (isLong(walk, at) ? 12 : 8),
  trun: (walk, at, size) => {
    const { file } = walk;
    const flags = file.u32be(at) & 0xffffff;
    const count = file.u32be(at + 4);
    const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
    const first = at + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
    if (walk.fragmentDuration === undefined || first + count * width > at + size) throw new InvalidAudioError();
    walk.frames += count;
    walk.samples.addRun(at, flags, first, count, width);
    if (!(flags & 0x100)) walk.summedDuration += count * walk.fragmentDuration;
    else for (let sample = 0; sample < count; sample += 1) walk.summedDuration += file.u32be(first + sample * width);
    return first + count * width - at;
  },
};

/** Keeps the brands that are known and writes a common one over all others, and over the version. */
function readBrands({ file }: Walk, at: number, size: number): number {
  file.bytes.fill(0, at + 4, at + 8);
  for (let place = at; place + 4 <= at + size; place += 4) {
    if (place !== at + 4 && !BRANDS.has(file.code(place))) file.bytes.set(ISOM, place);
  }
  return size - (size % 4);
}

/** Keeps one entry, of a known codec, with nothing in it but how that is set up. */
function readDescription(walk: Walk, at: number, size: number): number {
  const { file } = walk;
  const entry = at + 8;
  const length = file.u32be(entry);
  if (file.u32be(at + 4) !== 1 || !AUDIO_CODECS.includes(file.code(entry + 4))) throw new InvalidAudioError();
  if (length < AUDIO_ENTRY_BYTES || 8 + length > size || file.u16be(entry + 16) !== 0) throw new InvalidAudioError();
  // The revision and the vendor.
  file.bytes.fill(0, entry + 18, entry + 24);
  for (let box = entry + AUDIO_ENTRY_BYTES; box < entry + length; ) {
    const boxLength = file.u32be(box);
    if (boxLength < 8 || box + boxLength > entry + length) throw new InvalidAudioError();
    if (!CODEC_BOXES.includes(file.code(box + 4))) blank(file, box, boxLength);
    else if (boxLength > CODEC_BOX_MAX_BYTES) throw new InvalidAudioError();
    box += boxLength;
  }
  walk.audioEntries += 1;
  return 8 + length;
}

/** Blanks the creation and modification times. Returns whether they are the long ones. */
function clearTimes(walk: Walk, at: number): boolean {
  const long = isLong(walk, at);
  walk.file.need(at, long ? 20 : 12);
  walk.file.bytes.fill(0, at + 4, at + (long ? 20 : 12));
  return long;
}

function blank({ bytes }: ByteReader, at: number, size: number): void {
  bytes.set(FREE, at + 4);
  bytes.fill(0, at + 8, at + size);
}
