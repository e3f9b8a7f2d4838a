import { PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { drawJpeg } from "./draw-jpeg.ts";

export interface ShrinkTask {
  readonly file: Blob;
  /** As the picture is seen: turned as its metadata say. */
  readonly width: number;
  readonly height: number;
  /** The longest sides in pixels, tried in turn until the result is small enough to be sent. */
  readonly sides: readonly number[];
}

export async function shrink(
  image: CanvasImageSource,
  { width, height, sides }: Omit<ShrinkTask, "file">,
  signal?: AbortSignal,
): Promise<Blob> {
  for (const side of sides) {
    const scale = Math.min(1, side / Math.max(width, height));
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    const jpeg = await drawJpeg(size, (context) => context.drawImage(image, 0, 0, size.width, size.height), signal);
    if (jpeg.size <= PICTURE_MAX_BYTES) return jpeg;
  }
  throw new Error("the picture stays too large");
}
