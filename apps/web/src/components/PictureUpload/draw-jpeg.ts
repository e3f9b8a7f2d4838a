import { CONVERSION_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

/** Shows no artifacts; the server encodes the picture again. */
const QUALITY = 0.92;

/** Renders a JPEG file. Rejects if the browser cannot create one, or if nothing was drawn because it lacked the memory. */
export async function drawJpeg(
  { width, height }: { width: number; height: number },
  draw: (context: CanvasRenderingContext2D) => void,
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
  const encode = () =>
    new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no file"))), "image/jpeg", QUALITY);
    });
  try {
    return await withDeadline(CONVERSION_WAIT_MS, encode, { signal });
  } finally {
    // Safari keeps the memory of canvases for long.
    canvas.width = 0;
  }
}

function createCanvas(width: number, height: number) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  return { canvas, context };
}

const SAMPLE_PX = 16;

function isEmpty(canvas: HTMLCanvasElement): boolean {
  const { context } = createCanvas(SAMPLE_PX, SAMPLE_PX);
  context.drawImage(canvas, 0, 0, SAMPLE_PX, SAMPLE_PX);
  const { data } = context.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX);
  return !data.some((value, index) => index % 4 === 3 && value > 0);
}
