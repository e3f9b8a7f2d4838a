import { drawAside, type OpenPicture } from "../PictureUpload/draw-aside.ts";
import { type Crop, frameHeight, outputSize, radians } from "./geometry.ts";

/** Renders the cropped and rotated picture as a JPEG file. Rejects if the browser cannot create one. */
export async function drawCrop(picture: OpenPicture, crop: Crop, signal: AbortSignal): Promise<Blob> {
  const { naturalWidth: width, naturalHeight: height } = picture.image;
  const size = outputSize({ width, height }, crop);
  const scale = size.height / frameHeight({ width, height }, crop);
  const [across, down] = [scale * Math.cos(radians(crop)), scale * Math.sin(radians(crop))];
  const matrix = {
    ...{ a: across, b: down, c: -down, d: across },
    e: size.width / 2 - across * crop.x + down * crop.y,
    f: size.height / 2 - down * crop.x - across * crop.y,
  };
  return drawAside(picture, [{ ...size, matrix }], signal);
}
