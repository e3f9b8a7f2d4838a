import { askWorker } from "../../device/ask-worker.ts";
import { CONVERSION_WAIT_MS, DeadlinePassed } from "../../device/with-deadline.ts";
import { type Drawing, type DrawTask, drawPicture } from "./draw-picture.ts";
import { HiddenCanvas } from "./hidden-canvas.ts";
import { UnreadablePicture } from "./upload-error.ts";

/** A picture on the page, and the file that it shows. */
export interface OpenPicture {
  readonly image: HTMLImageElement;
  readonly file: Blob;
}

/**
 * Drawing a large picture would freeze the page for seconds, so a web worker does it where the browser can; else the page does. Rejects
 * with UnreadablePicture.
 */
export async function drawAside(
  { image, file }: OpenPicture,
  drawings: readonly Drawing[],
  signal?: AbortSignal,
): Promise<Blob> {
  // A part of a file has no type, so that the browser judges by the content.
  const task: DrawTask = { file: file.slice(), width: image.naturalWidth, height: image.naturalHeight, drawings };
  try {
    return await askWorker<Blob>(
      new Worker(new URL("./picture-worker.ts", import.meta.url), { type: "module" }),
      task,
      { waitMs: CONVERSION_WAIT_MS, signal },
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DeadlinePassed) throw new UnreadablePicture("DAMAGED");
    return drawPicture(image, drawings, signal).catch((failure: unknown) => {
      signal?.throwIfAborted();
      throw new UnreadablePicture(failure instanceof HiddenCanvas ? "HIDDEN" : "DAMAGED");
    });
  }
}
