/** Where the sound of an MP4 file lies: the bytes that its tables or its fragments refer to. */
import type { ByteReader } from "../../pictures/byte-reader.ts";
import { InvalidAudioError } from "./invalid-audio-error.ts";

type Range = readonly [from: number, to: number];

export class SampleMap {
  readonly #file: ByteReader;
  readonly #media: Range[] = [];
  readonly #samples: Range[] = [];
  #chunks: number[] = [];
  #chunkRuns: { readonly first: number; readonly samples: number }[] = [];
  #sizes: { readonly same: number; readonly each: readonly number[] } = { same: 0, each: [] };
  /** Of the current fragment: where offsets count from, and where the next run starts unless it says so. */
  #base = 0;
  #next = 0;
  #defaultSize = 0;
  #size = 0;

  constructor(file: ByteReader) {
    this.#file = file;
  }

  addMedia(from: number, to: number): void {
    this.#media.push([from, to]);
  }

  startFragment(at: number): void {
    this.#base = at;
    this.#next = at;
  }

  readDefaults(trex: number): void {
    this.#defaultSize = this.#file.u32be(trex + 16);
  }

  readFragmentHeader(at: number, flags: number): void {
    let place = at + 8;
    if (flags & 0x1) {
      this.#base = this.#wide(place);
      this.#next = this.#base;
      place += 8;
    }
    place += (flags & 0x2 ? 4 : 0) + (flags & 0x8 ? 4 : 0);
    this.#size = flags & 0x10 ? this.#file.u32be(place) : this.#defaultSize;
  }

  /** A run of samples, whose table of `width` bytes a sample starts at `first`. */
  addRun(at: number, flags: number, first: number, count: number, width: number): void {
    const from = flags & 0x1 ? this.#base + (this.#file.u32be(at + 8) | 0) : this.#next;
    let length = count * this.#size;
    if (flags & 0x200) {
      length = 0;
      const column = flags & 0x100 ? 4 : 0;
      for (let sample = 0; sample < count; sample += 1) length += this.#file.u32be(first + sample * width + column);
    }
    this.#add(from, length);
    this.#next = from + length;
  }

  readChunkOffsets(at: number, isWide: boolean): void {
    this.#chunks = this.#rows(at, isWide ? 8 : 4, (row) => (isWide ? this.#wide(row) : this.#file.u32be(row)));
  }

  readChunkRuns(at: number): void {
    this.#chunkRuns = this.#rows(at, 12, (row) => ({
      first: this.#file.u32be(row),
      samples: this.#file.u32be(row + 4),
    }));
  }

  readSizes(at: number): void {
    const same = this.#file.u32be(at + 4);
    this.#sizes = { same, each: same ? [] : this.#rows(at + 4, 4, (row) => this.#file.u32be(row)) };
  }

  /** Zeroes all media that no sample refers to. Throws if a sample lies elsewhere, or if there is none. */
  clearRest(): void {
    this.#addChunks();
    // In the order of the file, as media are: a walk over all of them for each sample could take minutes.
    const samples = this.#samples.sort(([one], [other]) => one - other);
    let next = 0;
    for (const [start, end] of this.#media) {
      let at = start;
      for (let sample = samples[next]; sample && sample[0] < end; sample = samples[next]) {
        const [from, to] = sample;
        if (from < start || to > end) throw new InvalidAudioError();
        if (from > at) this.#file.bytes.fill(0, at, from);
        at = Math.max(at, to);
        next += 1;
      }
      this.#file.bytes.fill(0, at, end);
    }
    if (next === 0 || next < samples.length) throw new InvalidAudioError();
  }

  #addChunks(): void {
    let sample = 0;
    let run = 0;
    for (const [index, from] of this.#chunks.entries()) {
      while ((this.#chunkRuns[run + 1]?.first ?? Number.POSITIVE_INFINITY) <= index + 1) run += 1;
      const count = this.#chunkRuns[run]?.samples ?? 0;
      const { same, each } = this.#sizes;
      const sizes = each.slice(sample, sample + count);
      this.#add(from, same ? count * same : sizes.reduce((sum, size) => sum + size, 0));
      sample += count;
    }
  }

  #add(from: number, length: number): void {
    if (length > 0) this.#samples.push([from, from + length]);
  }

  /** The rows of a table whose count is at `at` + 4. */
  #rows<Row>(at: number, width: number, read: (row: number) => Row): Row[] {
    const count = this.#file.u32be(at + 4);
    this.#file.need(at + 8, count * width);
    return Array.from({ length: count }, (_, index) => read(at + 8 + index * width));
  }

  #wide(at: number): number {
    return this.#file.u32be(at) * 2 ** 32 + this.#file.u32be(at + 4);
  }
}
