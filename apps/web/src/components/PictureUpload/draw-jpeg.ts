import { CONVERSION_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { HiddenCanvas, hidesPixels } from "./hidden-canvas.ts";

/** Shows no artifacts; the server encodes the picture again. */
const QUALITY = 0.92;

/**
 * Renders a JPEG file, on the page or in a web worker. Rejects if the browser cannot create one, if nothing was drawn because it lacked
 * the memory, or with HiddenCanvas.
 */
export async function drawJpeg(
  { width, height }: { width: number; height: number },
  draw: (context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D) => void,
  signal?: AbortSignal,
): Promise<Blob> {
  const { canvas, context } = createCanvas(width, height);
  context.imageSmoothingQuality = "high";
  context.save();
  draw(context);
  context.restore();
  if (isEmpty(canvas)) throw new Error("nothing was drawn");
  // JPEG has no transparency: without this, transparent areas would become black.
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  const type = "image/jpeg";
  const encode = () =>
    "convertToBlob" in canvas
      ? canvas.convertToBlob({ type, quality: QUALITY })
      : new Promise<Blob>((resolve, reject) => {
          canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no file"))), type, QUALITY);
        });
  try {
    return await withDeadline(CONVERSION_WAIT_MS, encode, { signal });
  } finally {
    // Safari keeps the memory of canvases for long.
    canvas.width = 0;
  }
}

/** In a web worker, which has no document, or on the page. */
function createCanvas(width: number, height: number) {
  const canvas =
    typeof document === "undefined"
      ? new OffscreenCanvas(width, height)
      : Object.assign(document.createElement("canvas"), { width, height });
  // Their overloads have no common signature.
  const context = "convertToBlob" in canvas ? canvas.getContext("2d") : canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  return { canvas, context };
}

const SAMPLE_PX = 16;

function isEmpty(canvas: CanvasImageSource): boolean {
  const { context } = createCanvas(SAMPLE_PX, SAMPLE_PX);
  context.drawImage(canvas, 0, 0, SAMPLE_PX, SAMPLE_PX);
  const { data } = context.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX);
  if (hidesPixels(context)) throw new HiddenCanvas();
  return !data.some((value, index) => index % 4 === 3 && value > 0);
}
