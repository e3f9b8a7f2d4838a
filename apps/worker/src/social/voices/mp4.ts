/** An MP4 recording: boxes, whole or in fragments. */
import type { ByteReader } from "../pictures/byte-reader.ts";
import { NotSound } from "./not-sound.ts";

/** Boxes that hold others, with where those begin. */
const HOLDERS: Readonly<Record<string, number>> = {
  ...{ moov: 8, trak: 8, edts: 8, mdia: 8, minf: 8, dinf: 8, stbl: 8, mvex: 8, moof: 8, traf: 8 },
};
/** Tables that a player needs, and the sound. Whatever else a recorder writes (names, dates, places) becomes empty room. */
const KEPT = new Set(
  "ftyp styp mdat free sidx mvhd tkhd elst mdhd hdlr smhd dref stsd stts stsc stsz stco co64 sgpd sbgp mehd trex mfhd tfhd tfdt trun".split(
    " ",
  ),
);
const SOUNDS = ["mp4a", "Opus"];
/** Boxes in boxes: no recording comes near. */
const BOXES_MAX = 20_000;

interface Walk {
  readonly file: ByteReader;
  boxes: number;
  tracks: number;
  sounds: number;
  scale: number;
  stated: number;
  /** Of fragments, in units of the track's scale. */
  added: number;
  defaultDuration: number;
  fragmentDuration: number;
}

/** Answers the length in milliseconds. */
export function cleanMp4(file: ByteReader): number {
  const walk: Walk = {
    ...{ file, boxes: 0, tracks: 0, sounds: 0, scale: 0, stated: 0, added: 0, defaultDuration: 0, fragmentDuration: 0 },
  };
  walkBoxes(walk, 0, file.length);
  if (walk.tracks !== 1 || walk.sounds !== 1 || walk.scale === 0) throw new NotSound();
  return (Math.max(walk.stated, walk.added) / walk.scale) * 1000;
}

function walkBoxes(walk: Walk, from: number, to: number): void {
  const { file } = walk;
  for (let at = from; at < to; ) {
    walk.boxes += 1;
    if (walk.boxes > BOXES_MAX) throw new NotSound();
    const size = file.u32be(at);
    const kind = file.code(at + 4);
    // 1 and 0 stand for sizes that no recording of this length needs.
    if (size < 8 || at + size > to) throw new NotSound();
    const inside = HOLDERS[kind];
    if (kind === "trak") walk.tracks += 1;
    if (inside !== undefined) walkBoxes(walk, at + inside, at + size);
    else if (KEPT.has(kind)) READERS[kind]?.(walk, at + 8, size - 8);
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
    walk.scale = file.u32be(at + (long ? 20 : 12));
    walk.stated = long ? file.u32be(at + 24) * 2 ** 32 + file.u32be(at + 28) : file.u32be(at + 16);
    if (walk.stated >= 0xffffffff) walk.stated = 0;
  },
  hdlr: ({ file }, at, size) => {
    if (file.code(at + 8) !== "soun") throw new NotSound();
    // Its name is for people, and may be a device's.
    file.bytes.fill(0, at + 24, at + size);
  },
  stsd: (walk, at) => {
    const { file } = walk;
    if (file.u32be(at + 4) !== 1 || !SOUNDS.includes(file.code(at + 12))) throw new NotSound();
    walk.sounds += 1;
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
    if (first + count * width > at + size) throw new NotSound();
    if (!(flags & 0x100)) walk.added += count * walk.fragmentDuration;
    else for (let sample = 0; sample < count; sample += 1) walk.added += file.u32be(first + sample * width);
  },
};

/** When it was made, as the device's clock had it. */
function clearTimes(file: ByteReader, at: number): void {
  const long = file.u8(at) === 1;
  file.need(at, long ? 20 : 12);
  file.bytes.fill(0, at + 4, at + (long ? 20 : 12));
}

function blank({ bytes }: ByteReader, at: number, size: number): void {
  bytes.set([0x66, 0x72, 0x65, 0x65], at + 4);
  bytes.fill(0, at + 8, at + size);
}
