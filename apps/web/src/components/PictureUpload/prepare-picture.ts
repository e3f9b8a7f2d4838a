/**
 * The one way from a chosen, pasted or dropped file to one that the server takes. Files are judged by their content: names and types
 * come from other programs and are often wrong or missing.
 */
import {
  PICTURE_DECODED_MAX_PIXELS,
  PICTURE_DECODED_MAX_PX,
  PICTURE_MAX_BYTES,
  PICTURE_ORIGINAL_MAX_PX,
} from "@lambda/contract/limits";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { drawAside } from "./draw-aside.ts";
import type { Drawing } from "./draw-picture.ts";
import { UnreadablePicture } from "./upload-error.ts";

/** Tried in turn until the file is small enough. The first is what the server keeps; only noise needs the others. */
const SIDES_PX = [PICTURE_ORIGINAL_MAX_PX, 2048, 1024] as const;

/**
 * A copy of a file that may be sent as it is. Its app or cloud may change or withdraw a chosen file at any time, and sending that fails
 * like a lost connection. Rejects with UnreadablePicture.
 */
export async function copyFile(file: Blob): Promise<Blob> {
  if (copies.has(file) || file.size > PICTURE_MAX_BYTES) return file;
  const copy = new Blob([await readBytes(file)]);
  copies.add(copy);
  return copy;
}

const copies = new WeakSet<Blob>();

/** Returns the file itself, or a copy, if the server takes it, else a smaller one or another type. Rejects with UnreadablePicture. */
export async function preparePicture(chosen: Blob, signal?: AbortSignal): Promise<Blob> {
  const file = await copyFile(chosen);
  const kind = await readKind(file);
  return withImage(file, kind, signal, (image) => {
    const { naturalWidth: width, naturalHeight: height } = image;
    const isSmall =
      file.size <= PICTURE_MAX_BYTES &&
      Math.max(width, height) <= PICTURE_DECODED_MAX_PX &&
      width * height <= PICTURE_DECODED_MAX_PIXELS;
    return kind === "taken" && isSmall ? file : drawAside({ file, image }, shrunk(image, SIDES_PX), signal);
  });
}

/** Draws the picture anew, with a longest side of at most `sidePx`. Rejects with UnreadablePicture. */
export async function convertPicture(
  file: Blob,
  { sidePx = SIDES_PX[0], signal }: { sidePx?: number; signal?: AbortSignal | undefined } = {},
): Promise<Blob> {
  const sides = [sidePx, ...SIDES_PX.filter((side) => side < sidePx)];
  return withImage(file, await readKind(file), signal, (image) =>
    drawAside({ file, image }, shrunk(image, sides), signal),
  );
}

/** `taken`: a type that the server takes. `moving`: such a type, but animated, of which the first image is taken. */
type Kind = "taken" | "moving" | "heic" | "other";

const HEAD_BYTES = 4096;

async function readKind(file: Blob): Promise<Kind> {
  if (file.size === 0) throw new UnreadablePicture("EMPTY");
  const head = String.fromCharCode(...new Uint8Array(await readBytes(file.slice(0, HEAD_BYTES))));
  if (head.startsWith("\xff\xd8\xff")) return "taken";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return head.split("IDAT")[0]?.includes("acTL") ? "moving" : "taken";
  if (/^RIFF.{4}WEBP/s.test(head)) return head.startsWith("VP8X", 12) && hasAnimationFlag(head) ? "moving" : "taken";
  return /^.{4}ftyp(hei|hev|mif1|msf1)/s.test(head) ? "heic" : "other";
}

const readBytes = (file: Blob) =>
  withDeadline(MEDIA_WAIT_MS, () => file.arrayBuffer()).catch(() => {
    // A folder, or a file that was moved or deleted, or whose cloud is out of reach.
    throw new UnreadablePicture("CLOSED");
  });

const hasAnimationFlag = (webp: string) => (webp.charCodeAt(20) & 0x02) !== 0;

/** Passes on the picture with its size known, turned upright as its metadata say. Browsers decode it when it is drawn. */
async function withImage<Value>(
  file: Blob,
  kind: Kind,
  signal: AbortSignal | undefined,
  work: (image: HTMLImageElement) => Value | Promise<Value>,
): Promise<Value> {
  const image = new Image();
  // A part of a file has no type, so that the browser judges by the content too. It never takes that for SVG, which can hold anything.
  image.src = URL.createObjectURL(file.slice());
  const load = () =>
    new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
    });
  try {
    await withDeadline(MEDIA_WAIT_MS, load, { signal });
    return await work(image);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UnreadablePicture) throw error;
    throw new UnreadablePicture(
      kind === "heic" ? "HEIC" : kind === "other" && !image.naturalWidth ? "TYPE" : "DAMAGED",
    );
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** The whole picture, with these longest sides at most. */
const shrunk = ({ naturalWidth, naturalHeight }: HTMLImageElement, sides: readonly number[]): Drawing[] =>
  sides.map((side) => {
    const scale = Math.min(1, side / Math.max(naturalWidth, naturalHeight));
    const [width, height] = [
      Math.max(1, Math.round(naturalWidth * scale)),
      Math.max(1, Math.round(naturalHeight * scale)),
    ];
    return { width, height, matrix: { a: width / naturalWidth, d: height / naturalHeight } };
  });
