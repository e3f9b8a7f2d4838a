import { ByteReader } from "./byte-reader.ts";
import { join, PNG_SIGNATURE } from "./png.ts";

/** Samples a pixel of each PNG colour type at 8 bits. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * The colour of a PNG of one pixel. One pixel has no neighbours, so every filter of the format leaves its samples as they
 * are. Undefined for other bit depths.
 */
export async function averageColour(png: Uint8Array): Promise<string | undefined> {
  const file = new ByteReader(png);
  const depth = file.u8(24);
  const kind = file.u8(25);
  const count = SAMPLES[kind];
  if (depth !== 8 || count === undefined) return undefined;
  const data: Uint8Array[] = [];
  let palette: Uint8Array = new Uint8Array();
  for (let at = PNG_SIGNATURE.length; at < file.length; ) {
    const length = file.u32be(at);
    const name = file.code(at + 4);
    if (name === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    if (name === "PLTE") palette = png.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  const samples = (await inflate(join(data))).subarray(1, 1 + count);
  const [first = 0, second = 0, third = 0] = samples;
  if (kind === 3) return hex([...palette.subarray(first * 3, first * 3 + 3)]);
  return kind === 0 || kind === 4 ? hex([first, first, first]) : hex([first, second, third]);
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function hex(samples: number[]): string {
  return `#${samples.map((sample) => sample.toString(16).padStart(2, "0")).join("")}`;
}
