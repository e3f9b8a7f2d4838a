/** Recordings that lie about their length, or busy whoever reads them. */
import { VOICE_MAX_BYTES } from "@lambda/contract/limits";
import { box, mp4Recording, plainMp4Recording, u32, webmRecording } from "@lambda/testing/recordings";
import { expect, it } from "vitest";
import { inspectVoice } from "./audio.ts";

const text = (words: string) => new TextEncoder().encode(words);
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const fileOf = (binary: string) => new Uint8Array(Buffer.from(binary, "latin1"));
const join = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The file with a part of it replaced, which must be there. */
function withPart(file: Uint8Array, part: string, other: string): Uint8Array {
  const binary = latin(file);
  expect(binary.split(part)).toHaveLength(2);
  return fileOf(binary.replace(part, () => other));
}

const SHORT = u32(3 * 48_000);
const rateAnd = (duration: Uint8Array) => latin(join(u32(48_000), duration));
/** Says in its header that it lasts three seconds. */
const saysShort = (file: Uint8Array, duration = u32(0)) => withPart(file, rateAnd(duration), rateAnd(SHORT));

/** Two fragments, one of a moment, then all, whose header comes last: a reader from front to back takes its lengths from the first. */
function headerLast(file: Uint8Array): Uint8Array {
  const binary = latin(file);
  const from = binary.indexOf("moof") - 4;
  const to = binary.indexOf("mdat") - 4;
  const at = binary.indexOf("tfhd") - 4;
  const [header, run] = [binary.slice(at, to - 20), binary.slice(to - 20, to)];
  const first = binary.slice(from, to - 12) + latin(join(u32(1), u32(1), u32(2 * (to - from) + 8)));
  const moment = first.replace(latin(u32(1024)), () => latin(u32(1)));
  return fileOf(binary.slice(0, from) + moment + binary.slice(from, at) + run + header + binary.slice(to));
}

const SCALE = "\x2a\xd7\xb1\x01\0\0\0\0\0\0\x04\0\x0f\x42\x40";
const ENDLESS = "\x44\x89\x88\x7f\xf0\0\0\0\0\0\0";
const long = plainMp4Recording({ ms: 40_000 });
const longMs = u32(Math.round(40 * (48_000 / 1024)) * 1024);
const crowded = () => {
  const offsets = 200_000;
  const media = Buffer.concat(Array.from({ length: 19_000 }, () => box("mdat")));
  const last = VOICE_MAX_BYTES - 1;
  const tables = box(
    "stbl",
    box("stsc", u32(0), u32(1), u32(1), u32(1), u32(1)),
    box("stsz", u32(0), u32(1), u32(offsets)),
    box("stco", u32(0), u32(offsets), Buffer.concat(Array.from({ length: offsets }, () => u32(last)))),
  );
  const head = join(box("ftyp", text("iso5\0\0\0\0mp41")), tables, media);
  return join(head, box("mdat", new Uint8Array(VOICE_MAX_BYTES - head.length - 8)));
};
const nested = () =>
  join(
    box("ftyp", text("iso5\0\0\0\0mp41")),
    ...Array.from({ length: 19_000 }, (_, depth) => join(u32((19_000 - depth) * 8), text("moov"))),
  );

it.each<[string, () => Uint8Array, RegExp]>([
  ["whose header says less than its table", () => saysShort(long, longMs), /longer than 30/],
  ["whose fragment has its header last", () => saysShort(headerLast(mp4Recording({ ms: 40_000 }))), /damaged/],
  [
    "of forty seconds of samples that each last a moment",
    () => withPart(mp4Recording({ ms: 80_000 }), latin(join(u32(1024), u32(4))), latin(join(u32(1), u32(4)))),
    /longer than 30/,
  ],
  [
    "of packets that last longer than the time to the next",
    // Three frames of 60 ms in each block of 60 ms.
    () => fileOf(latin(webmRecording({ ms: 20_000 })).replaceAll("\x80\x01\x02\x03\x04", "\x80\x1b\x03\x03\x04")),
    /longer than 30/,
  ],
  [
    "of many frames in a block",
    () => fileOf(latin(webmRecording()).replaceAll("\x80\x01\x02", "\x82\x01\x02")),
    /damaged/,
  ],
  [
    "that lasts for ever, times nothing",
    () => withPart(webmRecording(), SCALE, `${SCALE.slice(0, -4)}\0\0\0\0${ENDLESS}`),
    /no sound/,
  ],
  ["of boxes in boxes in boxes", nested, /damaged/],
])("rejects a recording %s", (_, make, message) => {
  expect(() => inspectVoice(make(), 3000)).toThrow(message);
});

it("reads a recording of 200,000 samples in 19,000 boxes within two seconds", () => {
  const file = crowded();
  expect(file).toHaveLength(VOICE_MAX_BYTES);
  const start = performance.now();
  expect(() => inspectVoice(file, 3000)).toThrow(/damaged/);
  expect(performance.now() - start).toBeLessThan(2000);
});
