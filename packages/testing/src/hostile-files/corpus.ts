/** Picture files as attackers, old phones and broken networks send them. The corpus is the same on every run. */
import { deflateSync } from "node:zlib";
import { makePng, PNG_SIGNATURE, pngChunk } from "../png.ts";
import { seededRandom } from "../random.ts";
import {
  exif,
  extendWebp,
  JFIF,
  JPEG_SEGMENTS,
  PNG_CHUNKS,
  SECRET,
  WEBP_CHUNKS,
  webpChunk,
  withJpegSegments,
  withPngChunks,
} from "./metadata.ts";

/** `accepted`: status 201, without the hidden data. `refused`: 400. `type`: 415. `either`: accepted or refused. */
export type Expectation = "accepted" | "refused" | "type" | "either";

export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expectation;
}

/** Three encodings of one harmless picture, from which the corpus is derived. */
export interface Samples {
  readonly png: Buffer;
  readonly jpeg: Buffer;
  readonly webp: Buffer;
  readonly width: number;
  readonly height: number;
}

export function makeCorpus(samples: Samples): HostileFile[] {
  return [
    ...truncatedFiles(samples),
    ...otherFormats(),
    ...polyglots(samples),
    ...wrongSizes(samples),
    ...bombs(),
    ...hiddenData(samples),
    ...strayBytes(samples),
    ...malformed(samples),
    ...flippedBits(samples),
  ];
}

const latin1 = (value: string) => Buffer.from(value, "latin1");
const each = ({ png, jpeg, webp }: Samples) =>
  [
    ["png", png],
    ["jpeg", jpeg],
    ["webp", webp],
  ] as const;

/** Truncated files. A file of a few bytes is not recognized as a picture. */
function truncatedFiles(samples: Samples): HostileFile[] {
  return each(samples).flatMap(([kind, file]) =>
    Array.from({ length: 60 }, (_, index) => {
      const length = index === 0 ? file.length - 1 : Math.floor((file.length * index) / 60);
      const signatureLength = kind === "jpeg" ? 3 : kind === "png" ? 8 : 12;
      // Decoders go without an end-of-image marker (2 bytes) and without IEND (12 bytes).
      const isComplete = file.length - length <= { jpeg: 2, png: 12, webp: 0 }[kind];
      const expected: Expectation = length < signatureLength ? "type" : isComplete ? "accepted" : "refused";
      return { name: `cut-${length}.${kind}`, bytes: file.subarray(0, length), expected };
    }),
  );
}

/** Other formats with the name of a picture. */
function otherFormats(): HostileFile[] {
  const kinds: Record<string, Buffer> = {
    svg: latin1(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
    svgWithProlog: latin1(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>`,
    ),
    html: latin1("<!doctype html><script>alert(1)</script>"),
    script: latin1("alert(document.cookie)"),
    gif: Buffer.concat([latin1("GIF89a"), Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x3b])]),
    gifScript: latin1("GIF89a=1;alert(1)//"),
    bmp: Buffer.concat([latin1("BM"), Buffer.alloc(60, 1)]),
    tiffLittle: Buffer.concat([latin1("II*\0"), Buffer.alloc(60)]),
    tiffBig: Buffer.concat([latin1("MM\0*"), Buffer.alloc(60)]),
    heic: Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1("ftypheic\0\0\0\0mif1heic"), Buffer.alloc(40)]),
    avif: Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1("ftypavif\0\0\0\0mif1avif"), Buffer.alloc(40)]),
    jxl: Buffer.from([0xff, 0x0a, 1, 2, 3, 4, 5, 6]),
    jp2: Buffer.concat([Buffer.from([0, 0, 0, 12]), latin1("jP  \r\n\x87\n"), Buffer.alloc(20)]),
    pdf: latin1("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj"),
    zip: Buffer.concat([latin1("PK\x03\x04"), Buffer.alloc(40)]),
    exe: Buffer.concat([latin1("MZ"), Buffer.alloc(64)]),
    elf: Buffer.concat([latin1("\x7fELF"), Buffer.alloc(64)]),
    wav: latin1("RIFF\x24\0\0\0WAVEfmt "),
    psd: Buffer.concat([latin1("8BPS\0\x01"), Buffer.alloc(40)]),
    ico: Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(40)]),
    mp4: Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1("ftypisom"), Buffer.alloc(40)]),
    mng: Buffer.concat([Buffer.from([0x8a]), latin1("MNG\r\n\x1a\n"), Buffer.alloc(40)]),
    zeros: Buffer.alloc(1000),
    space: latin1(" ".repeat(100)),
    byteOrderMark: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), PNG_SIGNATURE]),
  };
  return Object.entries(kinds).flatMap(([kind, bytes]) =>
    ["photo.png", "photo.jpg", "photo.webp", `${kind}.html`].map((name) => ({
      name: `${kind}-${name}`,
      bytes,
      expected: "type" as const,
    })),
  );
}

const PAYLOADS: Record<string, Buffer> = {
  html: latin1(`<!doctype html><script>fetch("/api/settings")</script><p>${SECRET}`),
  zip: Buffer.concat([latin1("PK\x03\x04"), latin1(SECRET), latin1("PK\x05\x06"), Buffer.alloc(18)]),
  pdf: latin1(`%PDF-1.7 ${SECRET} %%EOF`),
  php: latin1(`<?php system($_GET["c"]); /* ${SECRET} */ ?>`),
  script: latin1(`*/alert("${SECRET}")/*`),
};

/**
 * A picture followed by another file is accepted without that file. Another file after a picture's signature is
 * refused.
 */
function polyglots(samples: Samples): HostileFile[] {
  const appended = each(samples).flatMap(([kind, file]) =>
    Object.entries(PAYLOADS).map(([payload, bytes]) => ({
      name: `${payload}-after.${kind}`,
      bytes: Buffer.concat([file, bytes]),
      expected: "accepted" as const,
    })),
  );
  const signatures: Record<string, Buffer> = {
    png: PNG_SIGNATURE,
    jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    webp: latin1("RIFF\xff\xff\0\0WEBP"),
  };
  const masked = Object.entries(signatures).flatMap(([kind, signature]) =>
    Object.entries(PAYLOADS).map(([payload, bytes]) => ({
      name: `${payload}-masked.${kind}`,
      bytes: Buffer.concat([signature, bytes]),
      expected: "refused" as const,
    })),
  );
  const pairs = each(samples).flatMap(([kind, file]) =>
    each(samples).map(([other, second]) => ({
      name: `${other}-after.${kind}`,
      bytes: Buffer.concat([file, second]),
      expected: "accepted" as const,
    })),
  );
  return [...appended, ...masked, ...pairs];
}

const SIZES: readonly (readonly [number, number])[] = [
  [12_001, 1],
  [1, 12_001],
  [16_383, 16_383],
  [12_000, 12_000],
  [8000, 8000],
  [0, 10],
  [10, 0],
  [0, 0],
];

/** Small files whose headers claim huge or empty pictures. */
function wrongSizes(samples: Samples): HostileFile[] {
  const frame = samples.jpeg.findIndex((byte, at) => byte === 0xff && (samples.jpeg[at + 1] ?? 0) === 0xc0);
  return SIZES.flatMap(([width, height]) => {
    const png = Buffer.from(samples.png);
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    const jpeg = Buffer.from(samples.jpeg);
    jpeg.writeUInt16BE(height, frame + 5);
    jpeg.writeUInt16BE(width, frame + 7);
    const webp = Buffer.from(samples.webp);
    webp.writeUInt16LE(width, 26);
    webp.writeUInt16LE(height, 28);
    const canvas = extendWebp(samples.webp, Math.max(width, 1), Math.max(height, 1), 0);
    return Object.entries({ png, jpeg, webp, canvas }).map(([kind, bytes]) => ({
      name: `${width}x${height}.${kind}`,
      bytes,
      expected: "refused" as const,
    }));
  }).concat(
    [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((side) => {
      const png = Buffer.from(samples.png);
      png.writeUInt32BE(side, 16);
      return { name: `${side}.png`, bytes: png, expected: "refused" as const };
    }),
  );
}

/** Small files that decompress to huge data. */
function bombs(): HostileFile[] {
  const header = (width: number, height: number, depth: number, kind: number, interlace = 0) => {
    const data = Buffer.alloc(13);
    data.writeUInt32BE(width, 0);
    data.writeUInt32BE(height, 4);
    data.set([depth, kind, 0, 0, interlace], 8);
    return pngChunk("IHDR", data);
  };
  const png = (...chunks: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
  const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });
  const small = makePng(40, 50);
  const bombText = Buffer.concat([latin1("Comment\0\0"), zeros(30_000_000)]);
  return [
    {
      name: "one-bit-giant.png",
      bytes: png(header(12_000, 12_000, 1, 0), pngChunk("IDAT", zeros(18_012_000))),
      expected: "refused",
    },
    {
      name: "more-data-than-pixels.png",
      bytes: png(header(10, 10, 8, 2), pngChunk("IDAT", zeros(40_000_000))),
      expected: "either",
    },
    {
      name: "less-data-than-pixels.png",
      bytes: png(header(6000, 6000, 8, 2), pngChunk("IDAT", zeros(1000))),
      expected: "either",
    },
    {
      name: "largest-allowed.png",
      bytes: png(header(12_000, 4166, 1, 0), pngChunk("IDAT", zeros(1501 * 4166))),
      expected: "accepted",
    },
    { name: "text-bomb.png", bytes: withPngChunks(small, "before", pngChunk("zTXt", bombText)), expected: "accepted" },
    {
      name: "international-text-bomb.png",
      bytes: withPngChunks(small, "after", pngChunk("iTXt", bombText)),
      expected: "accepted",
    },
    {
      name: "profile-bomb.png",
      bytes: withPngChunks(small, "before", pngChunk("iCCP", Buffer.concat([latin1("icc\0\0"), zeros(70_000_000)]))),
      expected: "either",
    },
    {
      name: "many-chunks.png",
      bytes: withPngChunks(small, "before", ...Array.from({ length: 20_000 }, () => pngChunk("tEXt", latin1("a\0b")))),
      expected: "accepted",
    },
  ];
}

/** Files with every kind of metadata, alone and combined, in every orientation. */
function hiddenData({ png, jpeg, webp, width, height }: Samples): HostileFile[] {
  const files: Record<string, Buffer> = {};
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    files[`exif-${orientation}.jpeg`] = withJpegSegments(jpeg, JPEG_SEGMENTS.exif(orientation));
    files[`exif-${orientation}.png`] = withPngChunks(png, "before", PNG_CHUNKS.exif(orientation));
    const { flags, chunk } = WEBP_CHUNKS.exif(orientation);
    files[`exif-${orientation}.webp`] = extendWebp(webp, width, height, flags, chunk);
  }
  for (const [name, make] of Object.entries(JPEG_SEGMENTS)) {
    files[`${name}.jpeg`] = withJpegSegments(jpeg, make());
    files[`${name}-twice.jpeg`] = withJpegSegments(jpeg, make(), make());
    files[`${name}-and-exif.jpeg`] = withJpegSegments(jpeg, JPEG_SEGMENTS.exif(), make());
  }
  for (const [name, make] of Object.entries(PNG_CHUNKS)) {
    files[`${name}-before.png`] = withPngChunks(png, "before", make());
    files[`${name}-after.png`] = withPngChunks(png, "after", make());
  }
  for (const [name, make] of Object.entries(WEBP_CHUNKS)) {
    const { flags, chunk } = make();
    files[`${name}.webp`] = extendWebp(webp, width, height, flags, chunk);
    files[`${name}-unflagged.webp`] = extendWebp(webp, width, height, 0, chunk);
  }
  files["everything.jpeg"] = withJpegSegments(jpeg, ...Object.values(JPEG_SEGMENTS).map((make) => make()));
  files["everything.png"] = withPngChunks(png, "before", ...Object.values(PNG_CHUNKS).map((make) => make()));
  const all = Object.values(WEBP_CHUNKS).map((make) => make());
  const flags = all.reduce((sum, { flags: flag }) => sum | flag, 0);
  files["everything.webp"] = extendWebp(webp, width, height, flags, ...all.map(({ chunk }) => chunk));
  return Object.entries(files).map(([name, bytes]) => ({
    name,
    bytes,
    // The decoder may refuse an invalid color profile; it must never be served.
    expected: /icc/.test(name) || name.startsWith("everything") ? "either" : "accepted",
  }));
}

/** A place written outside all segments, where a decoder passes over it. */
export function strayBytes(samples: Samples): HostileFile[] {
  const jpeg = withJpegSegments(samples.jpeg, JFIF);
  const stray = latin1(SECRET);
  const at = (marker: number) => jpeg.findIndex((byte, index) => byte === 0xff && jpeg[index + 1] === marker);
  const before = (name: string, marker: number, bytes = stray) => ({
    name: `stray-before-${name}.jpeg`,
    bytes: Buffer.concat([jpeg.subarray(0, at(marker)), bytes, jpeg.subarray(at(marker))]),
    expected: "accepted" as const,
  });
  const afterFill = Buffer.concat([Buffer.alloc(7, 0xff), Buffer.from([0]), stray, Buffer.alloc(5, 0xff)]);
  return [
    before("table", 0xdb),
    before("frame", 0xc0),
    before("codes", 0xc4),
    before("scan", 0xda),
    before("fill", 0xda, afterFill),
    { name: "stray-after-end.jpeg", bytes: Buffer.concat([jpeg, stray, exif(6)]), expected: "accepted" },
    { name: "no-end.jpeg", bytes: Buffer.from(jpeg.subarray(0, -2)), expected: "accepted" },
    // The decoder gets these, because nothing but decoding tells them from the picture.
    { name: "stray-before-end.jpeg", bytes: Buffer.concat([jpeg.subarray(0, -2), stray]), expected: "either" },
  ];
}

/** Files with a structure that no encoder writes. */
function malformed({ png, jpeg, webp, width, height }: Samples): HostileFile[] {
  const patched = (file: Buffer, at: number, ...bytes: number[]) => {
    const copy = Buffer.from(file);
    copy.set(bytes, at);
    return copy;
  };
  const scan = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xda);
  const scans = Buffer.concat(Array.from({ length: 300 }, () => jpeg.subarray(scan, jpeg.length - 2)));
  const riff = (length: number) => {
    const copy = Buffer.from(webp);
    copy.writeUInt32LE(length, 4);
    return copy;
  };
  const files: Record<string, [Buffer, Expectation]> = {
    "no-header.png": [Buffer.concat([PNG_SIGNATURE, png.subarray(33)]), "refused"],
    "second-header.png": [withPngChunks(png, "before", Buffer.from(png.subarray(8, 33))), "refused"],
    "no-pixels.png": [Buffer.concat([png.subarray(0, 33), pngChunk("IEND", Buffer.alloc(0))]), "refused"],
    "endless-chunk.png": [patched(png, 33, 0xff, 0xff, 0xff, 0xff), "refused"],
    "bad-checksum.png": [patched(png, 30, 1, 2, 3), "either"],
    "bad-depth.png": [patched(png, 24, 77), "refused"],
    "bad-chunk-name.png": [withPngChunks(png, "before", pngChunk("\0\0\0\0", Buffer.alloc(4))), "refused"],
    "animated.png": [withPngChunks(png, "before", pngChunk("acTL", Buffer.alloc(8))), "refused"],
    "second-start.jpeg": [Buffer.concat([jpeg.subarray(0, 2), jpeg]), "refused"],
    "short-segment.jpeg": [withJpegSegments(jpeg, Buffer.from([0xff, 0xe5, 0, 1])), "refused"],
    "long-segment.jpeg": [
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe5, 0xff, 0xff]), jpeg.subarray(2)]),
      "either",
    ],
    "filled.jpeg": [withJpegSegments(jpeg, Buffer.alloc(500, 0xff)), "either"],
    "no-scan.jpeg": [Buffer.concat([jpeg.subarray(0, scan), Buffer.from([0xff, 0xd9])]), "refused"],
    "many-scans.jpeg": [Buffer.concat([jpeg.subarray(0, scan), scans, jpeg.subarray(-2)]), "refused"],
    "lossless-frame.jpeg": [replaceMarker(jpeg, 0xc0, 0xc3), "refused"],
    "arithmetic-frame.jpeg": [replaceMarker(jpeg, 0xc0, 0xc9), "either"],
    "only-ends.jpeg": [Buffer.from([0xff, 0xd8, 0xff, 0xd9]), "refused"],
    "riff-too-long.webp": [riff(0xffffffff), "refused"],
    "riff-too-short.webp": [riff(20), "refused"],
    "riff-empty.webp": [riff(4), "refused"],
    "endless-chunk.webp": [patched(webp, 16, 0xff, 0xff, 0xff, 0xff), "refused"],
    "animation-flag.webp": [extendWebp(webp, width, height, 0x02), "refused"],
    "animation-chunk.webp": [extendWebp(webp, width, height, 0, webpChunk("ANIM", Buffer.alloc(6))), "refused"],
    "frames.webp": [extendWebp(webp, width, height, 0, webpChunk("ANMF", Buffer.alloc(40))), "refused"],
    "other-canvas.webp": [extendWebp(webp, width + 1, height, 0), "refused"],
    "two-pictures.webp": [extendWebp(webp, width, height, 0, Buffer.from(webp.subarray(12))), "refused"],
    "no-start-code.webp": [patched(webp, 23, 0, 0, 0), "refused"],
    "inter-frame.webp": [patched(webp, 20, (webp[20] ?? 0) | 1), "refused"],
  };
  return Object.entries(files).map(([name, [bytes, expected]]) => ({ name, bytes, expected }));
}

function replaceMarker(jpeg: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(jpeg);
  const at = jpeg.findIndex((byte, index) => byte === 0xff && jpeg[index + 1] === from);
  copy[at + 1] = to;
  return copy;
}

/** Random damage anywhere in the file. */
function flippedBits(samples: Samples): HostileFile[] {
  const random = seededRandom(20_261_120).next;
  return each(samples).flatMap(([kind, file]) =>
    Array.from({ length: 50 }, (_, index) => {
      const bytes = Buffer.from(file);
      for (let flips = 0; flips <= index % 12; flips += 1) {
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return { name: `flipped-${index}.${kind}`, bytes, expected: "either" as const };
    }),
  );
}
