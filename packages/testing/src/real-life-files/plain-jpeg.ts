/** A gray JPEG written by hand, with what encoders at hand do not write: restart markers and other sample sizes. */

interface PlainJpeg {
  /** Blocks of 8 pixels. */
  readonly columns: number;
  readonly rows: number;
  readonly bits?: 8 | 12;
  /** Puts a restart marker after every block. */
  readonly restarts?: boolean;
}

const segment = (marker: number, ...payload: number[]) =>
  Buffer.from([0xff, marker, (payload.length + 2) >> 8, (payload.length + 2) & 0xff, ...payload]);

/** One Huffman code, a single zero bit, for `value`. */
const table = (kind: number, value: number) => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), value);

export function makePlainJpeg({ columns, rows, bits = 8, restarts = false }: PlainJpeg): Buffer {
  const blocks = columns * rows;
  const quantization = bits === 8 ? [0, ...Array<number>(64).fill(1)] : [0x10, ...Array(64).fill([0, 1]).flat()];
  // Each block is the bits 00 (no difference, no coefficients), padded with ones.
  const data = restarts
    ? Array.from({ length: blocks }, (_, block) =>
        block < blocks - 1 ? [0x3f, 0xff, 0xd0 + (block % 8)] : [0x3f],
      ).flat()
    : Array.from({ length: Math.ceil(blocks / 4) }, (_, byte) => 0xff >> (2 * Math.min(4, blocks - byte * 4)));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, ...quantization),
    segment(bits === 8 ? 0xc0 : 0xc1, bits, 0, rows * 8, 0, columns * 8, 1, 1, 0x11, 0),
    table(0x00, 0),
    table(0x10, 0),
    ...(restarts ? [segment(0xdd, 0, 1)] : []),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.from([...data, 0xff, 0xd9]),
  ]);
}
