/** WebM recordings. Their EBML elements are walked as one flat list, since recorders leave the sizes of segment and clusters unknown. */
import type { ByteReader } from "../../pictures/byte-reader.ts";
import { InvalidAudioError } from "./invalid-audio-error.ts";

/** Elements that contain others. Only their header is skipped, so their content comes next. */
const CONTAINERS = new Set([
  0x1a45dfa3, // EBML
  0x18538067, // Segment
  0x1549a966, // Info
  0x1654ae6b, // Tracks
  0xae, // TrackEntry
  0xe1, // Audio
  0x1f43b675, // Cluster
  0xa0, // BlockGroup
]);
/** Properties that a player needs, and the sound. */
const KEPT_ELEMENTS = new Set([
  0x4286, // EBMLVersion
  0x42f7, // EBMLReadVersion
  0x42f2, // EBMLMaxIDLength
  0x42f3, // EBMLMaxSizeLength
  0x4282, // DocType
  0x4287, // DocTypeVersion
  0x4285, // DocTypeReadVersion
  0x2ad7b1, // TimestampScale
  0x4489, // Duration
  0xd7, // TrackNumber
  0x73c5, // TrackUID
  0x83, // TrackType
  0x86, // CodecID
  0x63a2, // CodecPrivate
  0x56aa, // CodecDelay
  0x56bb, // SeekPreRoll
  0xb5, // SamplingFrequency
  0x9f, // Channels
  0x6264, // BitDepth
  0x78b5, // OutputSamplingFrequency
  0xe7, // Timestamp
  0xa3, // SimpleBlock
  0xa1, // Block
  0x9b, // BlockDuration
  0x75a2, // DiscardPadding
  0xfb, // ReferenceBlock
  0xab, // PrevSize
  0xa7, // Position
]);
/** Sound, and how its codec is set up; all other elements are numbers or short names. */
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
const CODEC_PRIVATE = 0x63a2;
const OTHER_MAX_BYTES = 8;
/** RFC 7845, 5.1.1.2: the most that a table of channels can have. */
const CHANNELS_MAX = 8;
/** How many frames a block holds, beside one; recorders write one. */
const LACING_FLAGS = 0x06;
/** RFC 6716, 3.1: milliseconds of a frame by the last bits of its configuration, of speech, of both and of music. */
const SPEECH_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const MUSIC_MS = [2.5, 5, 10, 20];
/** Required elements that name the browser (MuxingApp, WritingApp). They are kept, but their content is blanked. */
const BLANKED_ELEMENTS = new Set([0x4d80, 0x5741]);
const VOID = 0xec;
const AUDIO = 2;
const DEFAULT_SCALE_NS = 1_000_000;

/** Blanks everything that is not sound, and returns the duration in milliseconds. */
export function cleanWebm(file: ByteReader): number {
  let at = 0;
  let scaleNs = DEFAULT_SCALE_NS;
  let clusterTime = 0;
  let lastBlockTime = 0;
  let declaredDuration = 0;
  let packetsMs = 0;
  let tracks = 0;
  let heads = 0;
  let trackNumber: number | undefined;
  while (at < file.length) {
    const id = readId(file, at);
    const size = readSize(file, at + id.length);
    const from = at + id.length + size.length;
    if (CONTAINERS.has(id.value)) {
      at = from;
      continue;
    }
    // Only containers may have an unknown size.
    if (size.value === undefined) throw new InvalidAudioError();
    file.need(from, size.value);
    const isBlock = id.value === SIMPLE_BLOCK || id.value === BLOCK;
    if (KEPT_ELEMENTS.has(id.value) && !isBlock && id.value !== CODEC_PRIVATE && size.value > OTHER_MAX_BYTES) {
      throw new InvalidAudioError();
    }
    if (id.value === 0x2ad7b1) scaleNs = readUint(file, from, size.value);
    else if (id.value === 0x4489) declaredDuration = readFloat(file, from, size.value);
    else if (id.value === 0xe7) clusterTime = readUint(file, from, size.value);
    else if (id.value === 0xd7) trackNumber = readUint(file, from, size.value);
    else if (isBlock) {
      // A player skips the blocks of a track that there is not.
      if (readSize(file, from).value !== trackNumber) throw new InvalidAudioError();
      // Relative to its cluster.
      const track = readSize(file, from);
      const time = file.u16be(from + track.length);
      lastBlockTime = Math.max(lastBlockTime, clusterTime + (time > 0x7fff ? time - 0x10000 : time));
      const packet = from + track.length + 3;
      if (file.u8(packet - 1) & LACING_FLAGS) throw new InvalidAudioError();
      packetsMs += packetMs(file, packet, from + size.value);
    } else if (id.value === CODEC_PRIVATE) {
      heads += 1;
      if (heads > 1) throw new InvalidAudioError();
      requireOpusHead(file, from, size.value);
    } else if (id.value === 0x83) {
      tracks += 1;
      if (tracks > 1 || readUint(file, from, size.value) !== AUDIO) throw new InvalidAudioError();
    } else if (id.value === 0x86 && readText(file, from, size.value) !== "A_OPUS") throw new InvalidAudioError();
    else if (BLANKED_ELEMENTS.has(id.value)) file.bytes.fill(0, from, from + size.value);
    if (!KEPT_ELEMENTS.has(id.value) && !BLANKED_ELEMENTS.has(id.value)) blank(file, at, from + size.value);
    at = from + size.value;
  }
  if (tracks !== 1) throw new InvalidAudioError();
  // A player plays each packet, whatever time its block says.
  return Math.max((Math.max(lastBlockTime, declaredDuration) * scaleNs) / 1_000_000, packetsMs);
}

/** How long a packet of Opus lasts, which its first bytes say. */
function packetMs(file: ByteReader, from: number, to: number): number {
  if (from >= to) return 0;
  const first = file.u8(from);
  const config = first >> 3;
  const code = first & 0x03;
  const frameMs = config < 12 ? SPEECH_MS[config & 3] : config < 16 ? HYBRID_MS[config & 1] : MUSIC_MS[config & 3];
  const frames = code === 0 ? 1 : code < 3 ? 2 : file.u8(from + 1) & 0x3f;
  return (frameMs ?? 0) * frames;
}

/** Replaces an element with an empty Void element of the same size. */
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
  if (length > 4) throw new InvalidAudioError();
  let value = 0;
  for (let place = 0; place < length; place += 1) value = value * 256 + file.u8(at + place);
  return { value, length };
}

/** `value` is undefined for an unknown size. */
function readSize(file: ByteReader, at: number): { value: number | undefined; length: number } {
  const first = file.u8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new InvalidAudioError();
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let place = 1; place < length; place += 1) {
    const byte = file.u8(at + place);
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? undefined : value, length };
}

function readUint(file: ByteReader, at: number, size: number): number {
  if (size > 8) throw new InvalidAudioError();
  let value = 0;
  for (let place = 0; place < size; place += 1) value = value * 256 + file.u8(at + place);
  return value;
}

function readFloat(file: ByteReader, at: number, size: number): number {
  file.need(at, size);
  const view = new DataView(file.bytes.buffer, file.bytes.byteOffset + at, size);
  const value = size === 4 ? view.getFloat32(0) : size === 8 ? view.getFloat64(0) : Number.NaN;
  if (!(value >= 0)) throw new InvalidAudioError();
  return value;
}

function readText(file: ByteReader, at: number, size: number): string {
  return String.fromCharCode(...file.bytes.subarray(at, at + size));
}

/** The head of an Opus stream: 19 bytes, or more with a table of its channels. */
function requireOpusHead(file: ByteReader, at: number, size: number): void {
  const hasTable = size > 18 && file.u8(at + 18) !== 0;
  const channels = size > 9 ? file.u8(at + 9) : 0;
  const length = hasTable ? 21 + channels : 19;
  if (size !== length || channels > CHANNELS_MAX || readText(file, at, 8) !== "OpusHead") throw new InvalidAudioError();
}
