import { drawJpeg } from "../PictureUpload/draw-jpeg.ts";
import { type Crop, frameHeight, outputSize, radians } from "./geometry.ts";

/** Renders the cropped and rotated picture as a JPEG file. Rejects if the browser cannot create one. */
export async function drawCrop(image: HTMLImageElement, crop: Crop): Promise<Blob> {
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  const size = outputSize(picture, crop);
  const scale = size.height / frameHeight(picture, crop);
  return drawJpeg(size, (context) => {
    context.translate(size.width / 2, size.height / 2);
    context.rotate(radians(crop));
    context.scale(scale, scale);
    context.drawImage(image, -crop.x, -crop.y);
  });
}
