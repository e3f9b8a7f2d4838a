/** MP4 recordings, fragmented or not. */
import type { ByteReader } from "../pictures/byte-reader.ts";
import { InvalidAudioError } from "./invalid-audio-error.ts";

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
/** Tables that a player needs, and the sound. Everything else that a recorder writes (names, dates, places) is blanked. */
const KEPT_BOXES = new Set(
  "ftyp styp mdat free sidx mvhd tkhd elst mdhd hdlr smhd dref stsd stts stsc stsz stco co64 sgpd sbgp mehd trex mfhd tfhd tfdt trun".split(
    " ",
  ),
);
const AUDIO_CODECS = ["mp4a", "Opus"];
/** No recording comes near this number of boxes. */
const BOXES_MAX = 20_000;

interface Walk {
  readonly file: ByteReader;
  boxes: number;
  tracks: number;
  audioEntries: number;
  timescale: number;
  declaredDuration: number;
  /** The duration of all fragments, in units of the timescale. */
  summedDuration: number;
  defaultDuration: number;
  fragmentDuration: number;
}

/** Blanks everything that is not sound, and returns the duration in milliseconds. */
export function cleanMp4(file: ByteReader): number {
  const walk: Walk = {
    file,
    boxes: 0,
    tracks: 0,
    audioEntries: 0,
    timescale: 0,
    declaredDuration: 0,
    summedDuration: 0,
    defaultDuration: 0,
    fragmentDuration: 0,
  };
  walkBoxes(walk, 0, file.length);
  if (walk.tracks !== 1 || walk.audioEntries !== 1 || walk.timescale === 0) throw new InvalidAudioError();
  return (Math.max(walk.declaredDuration, walk.summedDuration) / walk.timescale) * 1000;
}

function walkBoxes(walk: Walk, from: number, to: number): void {
  const { file } = walk;
  for (let at = from; at < to; ) {
    walk.boxes += 1;
    if (walk.boxes > BOXES_MAX) throw new InvalidAudioError();
    const size = file.u32be(at);
    const kind = file.code(at + 4);
    // The sizes 0 and 1 mean "to the end" and "64 bit", which no recording of this length needs.
    if (size < 8 || at + size > to) throw new InvalidAudioError();
    const contentOffset = CONTAINERS[kind];
    if (kind === "trak") walk.tracks += 1;
    if (contentOffset !== undefined) walkBoxes(walk, at + contentOffset, at + size);
    else if (KEPT_BOXES.has(kind)) READERS[kind]?.(walk, at + 8, size - 8);
    else blank(file, at, size);
    at += size;
  }
}

const READERS: Readonly<Record<string, (walk: Walk, at: number, size: number) => void>> = {
  mvhd: ({ file }, at) => clearTimes(file, at),
  tkhd: ({ file }, at) => clearTimes(file, at),
  mdhd: (walk, at) => {
    const { file } = walk;
    clearTimes(file, at);
    const long = file.u8(at) === 1;
    walk.timescale = file.u32be(at + (long ? 20 : 12));
    walk.declaredDuration = long ? file.u32be(at + 24) * 2 ** 32 + file.u32be(at + 28) : file.u32be(at + 16);
    if (walk.declaredDuration >= 0xffffffff) walk.declaredDuration = 0;
  },
  hdlr: ({ file }, at, size) => {
    if (file.code(at + 8) !== "soun") throw new InvalidAudioError();
    // The handler's name is free text, and may name a device.
    file.bytes.fill(0, at + 24, at + size);
  },
  stsd: (walk, at) => {
    const { file } = walk;
    if (file.u32be(at + 4) !== 1 || !AUDIO_CODECS.includes(file.code(at + 12))) throw new InvalidAudioError();
    walk.audioEntries += 1;
  },
  trex: (walk, at) => {
    walk.defaultDuration = walk.file.u32be(at + 12);
  },
  tfhd: (walk, at) => {
    const { file } = walk;
    const flags = file.u32be(at) & 0xffffff;
    const place = at + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
    walk.fragmentDuration = flags & 0x8 ? file.u32be(place) : walk.defaultDuration;
  },
  trun: (walk, at, size) => {
    const { file } = walk;
    const flags = file.u32be(at) & 0xffffff;
    const count = file.u32be(at + 4);
    const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
    const first = at + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
    if (first + count * width > at + size) throw new InvalidAudioError();
    if (!(flags & 0x100)) walk.summedDuration += count * walk.fragmentDuration;
    else for (let sample = 0; sample < count; sample += 1) walk.summedDuration += file.u32be(first + sample * width);
  },
};

/** Blanks the creation and modification times. */
function clearTimes(file: ByteReader, at: number): void {
  const long = file.u8(at) === 1;
  file.need(at, long ? 20 : 12);
  file.bytes.fill(0, at + 4, at + (long ? 20 : 12));
}

function blank({ bytes }: ByteReader, at: number, size: number): void {
  bytes.set([0x66, 0x72, 0x65, 0x65], at + 4);
  bytes.fill(0, at + 8, at + size);
}
