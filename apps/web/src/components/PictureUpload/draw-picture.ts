import { PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { drawJpeg } from "./draw-jpeg.ts";

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** From pixels of the picture to pixels of the drawing. */
  readonly matrix: DOMMatrix2DInit;
}

/** What a page asks of a web worker. */
export interface DrawTask {
  readonly file: Blob;
  /** As the picture is seen: turned as its metadata say. */
  readonly width: number;
  readonly height: number;
  /** Tried in turn until the result is small enough to be sent. */
  readonly drawings: readonly Drawing[];
}

export async function drawPicture(
  image: CanvasImageSource,
  drawings: readonly Drawing[],
  signal?: AbortSignal,
): Promise<Blob> {
  for (const drawing of drawings) {
    const draw = (context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D) => {
      context.setTransform(drawing.matrix);
      context.drawImage(image, 0, 0);
    };
    const jpeg = await drawJpeg(drawing, draw, signal);
    if (jpeg.size <= PICTURE_MAX_BYTES) return jpeg;
  }
  throw new Error("the picture stays too large");
}
