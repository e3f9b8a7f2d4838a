/** Picture files as cameras, phones, messengers, scanners and cloud drives hand them over, with what must become of each. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import {
  exif,
  extendWebp,
  JFIF,
  JPEG_SEGMENTS,
  PNG_CHUNKS,
  segment,
  WEBP_CHUNKS,
  withJpegSegments,
  withPngChunks,
} from "../hostile-files/metadata.ts";
import { pngChunk } from "../png.ts";
import { makePlainJpeg } from "./plain-jpeg.ts";

/** What the device makes of it: sends it as it is, converts it, or says that it is empty, no picture, HEIC, or damaged. */
type OnDevice = "original" | "converted" | "EMPTY" | "TYPE" | "HEIC" | "DAMAGED";

export interface RealLifeFile {
  /** Unique in the corpus. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly device: OnDevice;
  /** The status of the file's upload as it is. */
  readonly server: 201 | 400 | 413 | 415;
  /** Width and height of what is stored. */
  readonly size?: readonly [number, number];
}

const [WIDTH, HEIGHT] = [60, 40];
const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
const gradient = Buffer.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, at) => [(at * 4) % 240, 60 + (at % WIDTH), 200 - (at % 97)]).flat(),
);
const picture = () => sharp(gradient, { raw });
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#a05828" } });

export async function makeRealLifeFiles(): Promise<RealLifeFile[]> {
  return [
    ...(await jpegs()),
    ...(await pngs()),
    ...(await webps()),
    ...(await otherTypes()),
    ...(await labels()),
    ...(await largeFiles()),
  ];
}

type Results = readonly [device: OnDevice, server: RealLifeFile["server"], size?: readonly [number, number]];
const TAKEN: Results = ["original", 201];
/** The browser shows what the server's decoder refuses, so the device converts it after the first answer. */
const SHOWN: Results = ["converted", 400];

const files = (type: string, ending: string, made: Record<string, readonly [Buffer, Results]>): RealLifeFile[] =>
  Object.entries(made).map(([name, [bytes, [device, server, size]]]) => ({
    ...{ name: `${name}.${ending}`, type, bytes, device, server },
    ...(size && { size }),
  }));

const findMarker = (jpeg: Buffer, marker: number) =>
  jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === marker);
const insertAt = (file: Buffer, at: number, bytes: Buffer) =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
const replaceMarker = (jpeg: Buffer, from: number, to: number) => {
  const copy = Buffer.from(jpeg);
  copy[findMarker(copy, from) + 1] = to;
  return copy;
};
const text = (value: string) => Buffer.from(value, "latin1");
const adobe = (transform: number) => segment(0xee, text("Adobe\0\x64\0\0\0\0"), Buffer.from([transform]));
const read = (name: string) => readFileSync(new URL(name, import.meta.url).pathname);

async function jpegs(): Promise<RealLifeFile[]> {
  const plainJpeg = await picture().jpeg({ quality: 90 }).toBuffer();
  const jpeg = withJpegSegments(plainJpeg, JFIF);
  const progressive = await picture().jpeg({ progressive: true }).toBuffer();
  const cmyk = await picture().toColourspace("cmyk").jpeg().toBuffer();
  const ycck = Buffer.from(cmyk);
  ycck[ycck.indexOf("Adobe") + 11] = 2;
  const before = (marker: number, bytes: Buffer, file = jpeg) => insertAt(file, findMarker(file, marker), bytes);
  const upright = [1, 2, 3, 4].map((value) => [value, [WIDTH, HEIGHT]] as const);
  const turned = [5, 6, 7, 8].map((value) => [value, [HEIGHT, WIDTH]] as const);
  const orientations = [...upright, ...turned].map(([value, size]): [string, [Buffer, Results]] => [
    `orientation-${value}`,
    [withJpegSegments(jpeg, JPEG_SEGMENTS.exif(value)), ["original", 201, size]],
  ]);
  return files("image/jpeg", "jpg", {
    plain: [plainJpeg, TAKEN],
    jfif: [jpeg, ["original", 201, [WIDTH, HEIGHT]]],
    "camera-no-end": [read("no-eoi.jpg"), ["original", 201, [300, 400]]],
    "camera-zeros-after-app0": [read("pad-after-app0.jpg"), TAKEN],
    "camera-padding-before-marker": [read("padding-before-marker.jpg"), TAKEN],
    "stray-before-codes": [before(0xc4, text("0123")), TAKEN],
    "stray-before-frame": [before(0xc0, Buffer.alloc(2)), TAKEN],
    "stray-before-scan": [before(0xda, text("\0\0\0")), TAKEN],
    "fill-before-marker": [before(0xdb, Buffer.alloc(9, 0xff)), TAKEN],
    "restart-marker-between-segments": [before(0xc4, Buffer.from([0xff, 0xd3])), TAKEN],
    "no-end": [jpeg.subarray(0, -2), TAKEN],
    "half-an-end": [jpeg.subarray(0, -1), TAKEN],
    "zeros-before-end": [insertAt(jpeg, jpeg.length - 2, Buffer.alloc(6)), TAKEN],
    "progressive-no-end": [progressive.subarray(0, -2), TAKEN],
    "padded-to-4096": [Buffer.concat([jpeg, Buffer.alloc(4096 - (jpeg.length % 4096))]), TAKEN],
    "second-picture-after-end": [Buffer.concat([jpeg, jpeg]), TAKEN],
    "motion-photo": [Buffer.concat([jpeg, text("\0\0\0\x18ftypmp42"), Buffer.alloc(500, 7)]), TAKEN],
    ...Object.fromEntries(orientations),
    "exif-twice": [withJpegSegments(jpeg, JPEG_SEGMENTS.exif(1), JPEG_SEGMENTS.exif(1)), TAKEN],
    "exif-before-jfif": [withJpegSegments(jpeg, JPEG_SEGMENTS.exif(1)), TAKEN],
    "exif-cut-short": [withJpegSegments(jpeg, segment(0xe1, text("Exif\0\0"), exif().subarray(0, 20))), TAKEN],
    "xmp-iptc-comment": [
      withJpegSegments(jpeg, JPEG_SEGMENTS.xmp(), JPEG_SEGMENTS.iptc(), JPEG_SEGMENTS.comment()),
      TAKEN,
    ],
    "two-lenses": [withJpegSegments(jpeg, JPEG_SEGMENTS.mpf()), TAKEN],
    "display-p3": [await picture().withIccProfile("p3").jpeg().toBuffer(), TAKEN],
    progressive: [progressive, TAKEN],
    "progressive-many-scans": [
      await picture().jpeg({ progressive: true, optimizeScans: true, mozjpeg: true }).toBuffer(),
      TAKEN,
    ],
    "all-colors": [await picture().jpeg({ chromaSubsampling: "4:4:4" }).toBuffer(), TAKEN],
    gray: [await picture().grayscale().jpeg().toBuffer(), TAKEN],
    cmyk: [cmyk, TAKEN],
    ycck: [ycck, TAKEN],
    "adobe-rgb-components": [withJpegSegments(plainJpeg, adobe(0)), TAKEN],
    "restart-markers": [makePlainJpeg({ columns: 5, rows: 4, restarts: true }), ["original", 201, [40, 32]]],
    "one-pixel": [await plain(1, 1).jpeg().toBuffer(), ["original", 201, [1, 1]]],
    "twelve-bits": [makePlainJpeg({ columns: 2, rows: 2, bits: 12 }), ["DAMAGED", 400]],
    lossless: [replaceMarker(jpeg, 0xc0, 0xc3), ["DAMAGED", 400]],
    "only-a-header": [jpeg.subarray(0, findMarker(jpeg, 0xc0) - 4), ["DAMAGED", 400]],
    "cut-by-some-bytes": [jpeg.subarray(0, -9), SHOWN],
    "cut-in-half": [jpeg.subarray(0, (findMarker(jpeg, 0xda) + jpeg.length) >> 1), SHOWN],
  });
}

async function pngs(): Promise<RealLifeFile[]> {
  const png = await picture().png().toBuffer();
  const breakChecksum = (chunk: Buffer) =>
    Buffer.concat([chunk.subarray(0, -1), Buffer.from([(chunk.at(-1) ?? 0) ^ 1])]);
  const data = png.indexOf("IDAT");
  const dataEnd = data + 4 + png.readUInt32BE(data - 4);
  const badData = Buffer.concat([png.subarray(0, dataEnd), Buffer.alloc(4), png.subarray(dataEnd + 4)]);
  const badHeader = Buffer.concat([png.subarray(0, 29), Buffer.alloc(4), png.subarray(33)]);
  const gamma = pngChunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]));
  const animationControl = pngChunk("acTL", Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]));
  return files("image/png", "png", {
    plain: [png, ["original", 201, [WIDTH, HEIGHT]]],
    transparent: [await picture().ensureAlpha(0.5).png().toBuffer(), TAKEN],
    palette: [await picture().png({ palette: true, colors: 16 }).toBuffer(), TAKEN],
    interlaced: [await picture().png({ progressive: true }).toBuffer(), TAKEN],
    "sixteen-bits": [await picture().toColourspace("rgb16").png().toBuffer(), TAKEN],
    "black-and-white": [await picture().threshold().png({ palette: true, colors: 2 }).toBuffer(), TAKEN],
    gray: [await picture().grayscale().png().toBuffer(), TAKEN],
    "gray-and-alpha": [await picture().grayscale().ensureAlpha(0.5).png().toBuffer(), TAKEN],
    "sixteen-bits-and-alpha": [await picture().ensureAlpha(0.5).toColourspace("rgb16").png().toBuffer(), TAKEN],
    "display-p3": [await picture().withIccProfile("p3").png().toBuffer(), TAKEN],
    gamma: [withPngChunks(png, "before", gamma), TAKEN],
    turned: [withPngChunks(png, "before", PNG_CHUNKS.exif(6)), ["original", 201, [HEIGHT, WIDTH]]],
    texts: [withPngChunks(png, "before", PNG_CHUNKS.xmp(), PNG_CHUNKS.text(), PNG_CHUNKS.time()), TAKEN],
    "broken-text": [withPngChunks(png, "before", breakChecksum(PNG_CHUNKS.text())), TAKEN],
    "private-chunk": [withPngChunks(png, "after", PNG_CHUNKS.private()), TAKEN],
    "no-end": [png.subarray(0, -12), TAKEN],
    "half-an-end": [png.subarray(0, -5), TAKEN],
    "bytes-after-end": [Buffer.concat([png, Buffer.alloc(100)]), TAKEN],
    "zeros-in-place-of-end": [Buffer.concat([png.subarray(0, -12), Buffer.alloc(500)]), TAKEN],
    "file-in-place-of-end": [Buffer.concat([png.subarray(0, -12), text("\0\0\0\x18ftypmp42")]), TAKEN],
    "broken-chunk-after-pixels": [withPngChunks(png, "after", pngChunk("\0\0\0\0", Buffer.alloc(4))), TAKEN],
    "animation-mark-after-pixels": [withPngChunks(png, "after", animationControl), TAKEN],
    "one-pixel": [await plain(1, 1).png().toBuffer(), TAKEN],
    animated: [withPngChunks(png, "before", animationControl, frameControl()), SHOWN],
    "broken-data": [badData, SHOWN],
    "cut-in-half": [png.subarray(0, png.length >> 1), SHOWN],
    "broken-header": [badHeader, ["DAMAGED", 400]],
  });
}

function frameControl(): Buffer {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(WIDTH, 4);
  data.writeUInt32BE(HEIGHT, 8);
  data.set([0, 1, 0, 10], 20);
  return pngChunk("fcTL", data);
}

async function webps(): Promise<RealLifeFile[]> {
  const webp = await picture().webp().toBuffer();
  const { flags, chunk } = WEBP_CHUNKS.exif(6);
  return files("image/webp", "webp", {
    lossy: [webp, ["original", 201, [WIDTH, HEIGHT]]],
    lossless: [await picture().webp({ lossless: true }).toBuffer(), TAKEN],
    transparent: [await picture().ensureAlpha(0.5).webp().toBuffer(), TAKEN],
    turned: [extendWebp(webp, WIDTH, HEIGHT, flags, chunk), ["original", 201, [HEIGHT, WIDTH]]],
    "display-p3": [await picture().withIccProfile("p3").webp().toBuffer(), TAKEN],
    "bytes-after-end": [Buffer.concat([webp, Buffer.alloc(3)]), TAKEN],
    animated: [await animation().then((frames) => frames.webp({ delay: [100, 100] }).toBuffer()), SHOWN],
    "cut-in-half": [webp.subarray(0, webp.length >> 1), ["DAMAGED", 400]],
  });
}

const animation = async () =>
  sharp([await picture().png().toBuffer(), await plain(WIDTH, HEIGHT).png().toBuffer()], { join: { animated: true } });

async function otherTypes(): Promise<RealLifeFile[]> {
  const converted: Results = ["converted", 415, [WIDTH, HEIGHT]];
  const refused: Results = ["TYPE", 415];
  const heif = (brand: string) =>
    Buffer.concat([text(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`), Buffer.alloc(200)]);
  const of = (name: string, type: string, bytes: Buffer, results: Results): RealLifeFile[] =>
    files(type, name.split(".")[1] ?? "", { [name.split(".")[0] ?? ""]: [bytes, results] });
  return [
    ...of("still.gif", "image/gif", await picture().gif().toBuffer(), converted),
    ...of("moving.gif", "image/gif", await (await animation()).gif({ delay: [100, 100] }).toBuffer(), converted),
    ...of("scan.bmp", "image/bmp", makeBmp(), converted),
    ...of("phone.avif", "image/avif", await picture().avif().toBuffer(), converted),
    ...of("favicon.ico", "image/x-icon", makeIco(await picture().png().toBuffer()), converted),
    ...of("avif-as.jpg", "image/jpeg", await picture().avif().toBuffer(), converted),
    ...of("heic-as.jpg", "image/jpeg", heif("heic"), ["HEIC", 415]),
    ...of("scan.tiff", "image/tiff", await picture().tiff().toBuffer(), refused),
    ...of("iphone.heic", "image/heic", heif("heic"), ["HEIC", 415]),
    ...of("burst.heif", "", heif("mif1"), ["HEIC", 415]),
    ...of("drawing.svg", "image/svg+xml", text(SVG), refused),
    ...of("drawing-as.jpg", "image/jpeg", text(`<?xml version="1.0"?>${SVG}`), refused),
    ...of("text.jpg", "image/jpeg", text("Dear all,"), refused),
    ...of("page.png", "image/png", text("<!doctype html><script>1</script>"), refused),
    ...of("letter.pdf", "application/pdf", text("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj"), refused),
    ...of("clip.mp4", "video/mp4", Buffer.concat([text("\0\0\0\x18ftypisom"), Buffer.alloc(40)]), refused),
    ...of("new.jxl", "image/jxl", Buffer.from([0xff, 0x0a, 1, 2, 3, 4]), refused),
    ...of("zeros.jpg", "image/jpeg", Buffer.alloc(5000), refused),
    ...of("empty.jpg", "image/jpeg", Buffer.alloc(0), ["EMPTY", 400]),
  ];
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`;

/** One picture, as a site's icon holds it. */
function makeIco(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.set([0, 0, 1, 0, 1, 0, WIDTH, HEIGHT, 0, 0, 1, 0, 32, 0]);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** 24 bits a pixel, rows from the bottom, as Windows writes it. */
function makeBmp(): Buffer {
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(header.length + gradient.length, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(WIDTH, 18);
  header.writeInt32LE(HEIGHT, 22);
  header.set([1, 0, 24, 0], 26);
  return Buffer.concat([header, gradient]);
}

/** Good pictures whose names and types say something else, or nothing. */
async function labels(): Promise<RealLifeFile[]> {
  const jpeg = await picture().jpeg().toBuffer();
  const webp = await picture().webp().toBuffer();
  const gif = await picture().gif().toBuffer();
  const taken = (name: string, type: string, bytes = jpeg): RealLifeFile => ({
    ...{ name, type, bytes, device: "original", server: 201 },
  });
  return [
    taken("no-type.jpg", ""),
    taken("old-type.jpg", "image/jpg"),
    taken("older-type.jpg", "image/pjpeg"),
    taken("download.jpg", "application/octet-stream"),
    taken("text-type.jpg", "text/html"),
    taken("wrong-type.jpg", "image/png"),
    taken("heic-type.jpg", "image/heic"),
    taken("IMG_0001.HEIC", "image/jpeg"),
    taken("saved-by-a-messenger.png", "image/png", webp),
    taken("UPPER.JPEG", "IMAGE/JPEG"),
    taken("no-ending", ""),
    taken("photo.jpg.exe", "application/x-msdownload"),
    taken("", ""),
    taken("Straße 🏳️‍🌈 ñ 写真.jpg", "image/jpeg"),
    taken("صورة.jpg", "image/jpeg"),
    taken('quote"semicolon;\r\nbreak.jpg', "image/jpeg"),
    taken("../../etc/passwd", "image/jpeg"),
    taken("photo\u202Egpj.exe", "image/jpeg"),
    taken(`${"long".repeat(75)}.jpg`, "image/jpeg"),
    { ...{ name: "gif-named.jpg", type: "image/jpeg", bytes: gif }, device: "converted", server: 415 },
  ];
}

/** Over the server's limits of bytes, of a side, and of pixels. */
async function largeFiles(): Promise<RealLifeFile[]> {
  const phone = await plain(12_200, 9200).jpeg().toBuffer();
  const panorama = await plain(12_100, 300).jpeg().toBuffer();
  const turnedPanorama = withJpegSegments(panorama, JPEG_SEGMENTS.exif(6));
  const heavy = await plain(1700, 1700).png({ compressionLevel: 0 }).toBuffer();
  return [
    ...files("image/jpeg", "jpg", {
      "phone-112-megapixels": [phone, ["converted", 400, [4096, 3089]]],
      panorama: [panorama, ["converted", 400, [4096, 102]]],
      "turned-panorama": [turnedPanorama, ["converted", 400, [102, 4096]]],
      "longest-side": [await plain(12_000, 9).jpeg().toBuffer(), TAKEN],
    }),
    ...files("image/png", "png", {
      "heavy-screenshot": [heavy, ["converted", 413, [1700, 1700]]],
      "one-row": [await plain(20_000, 1).png().toBuffer(), ["converted", 400, [4096, 1]]],
      "very-wide": [await plain(20_000, 4).png().toBuffer(), ["converted", 400, [4096, 1]]],
    }),
  ];
}
