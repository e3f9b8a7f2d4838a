import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { type Crop, frameHeight, outputSize, radians } from "./geometry.ts";

/** JPEG quality of the upload; the server encodes it again. */
const QUALITY = 0.94;

/** Renders the cropped and rotated picture as a JPEG file. Rejects if the browser cannot create one. */
export function drawCrop(image: HTMLImageElement, crop: Crop): Promise<Blob> {
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  const size = outputSize(picture, crop);
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  if (!context) return Promise.reject(new Error("no canvas"));
  const scale = size.height / frameHeight(picture, crop);
  context.imageSmoothingQuality = "high";
  // JPEG has no transparency: without this, transparent areas would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size.width, size.height);
  context.translate(size.width / 2, size.height / 2);
  context.rotate(radians(crop));
  context.scale(scale, scale);
  context.drawImage(image, -crop.x, -crop.y);
  const encode = () =>
    new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no file"))), "image/jpeg", QUALITY);
    });
  return withDeadline(MEDIA_WAIT_MS, encode);
}
