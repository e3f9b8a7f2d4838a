import type { PICTURE_TYPES } from "@lambda/contract/limits";

/** What the bytes of an uploaded file say about it. */
export interface ImageInfo {
  readonly type: (typeof PICTURE_TYPES)[number];
  readonly width: number;
  readonly height: number;
  /** The picture without trailing data and without chunks that decoding does not need. */
  readonly bytes: Uint8Array;
}

/** Thrown for a read past the end: the file is truncated. */
export class EndOfBytesError extends Error {}

/** Bounds-checked reads from an untrusted file. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    this.need(at, 1);
    return this.#view.getUint8(at);
  }

  u16be(at: number): number {
    this.need(at, 2);
    return this.#view.getUint16(at);
  }

  u16le(at: number): number {
    this.need(at, 2);
    return this.#view.getUint16(at, true);
  }

  u24le(at: number): number {
    return this.u16le(at) + this.u8(at + 2) * 0x10000;
  }

  u32be(at: number): number {
    this.need(at, 4);
    return this.#view.getUint32(at);
  }

  u32le(at: number): number {
    this.need(at, 4);
    return this.#view.getUint32(at, true);
  }

  code(at: number): string {
    this.need(at, 4);
    return String.fromCharCode(...this.bytes.subarray(at, at + 4));
  }

  /** Throws EndOfBytesError unless the range lies within the file. */
  need(at: number, count: number): void {
    if (at < 0 || at + count > this.length) throw new EndOfBytesError();
  }
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
