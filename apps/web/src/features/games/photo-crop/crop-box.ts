import type { CropBox } from "@lambda/contract/games";
import { PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import type { Crop, Size } from "../../../components/PictureCrop/geometry.ts";

/** The frame of an unrotated crop as fractions of the picture, clamped to it against rounding errors. */
export function toCropBox(picture: Size, crop: Pick<Crop, "x" | "y">, frameHeight: number): CropBox {
  const height = Math.min(1, frameHeight / picture.height);
  const width = Math.min(1, (frameHeight * PICTURE_CROP_ASPECT) / picture.width);
  const clampedStart = (center: number, size: number) => Math.min(1 - size, Math.max(0, center - size / 2));
  return {
    x: clampedStart(crop.x / picture.width, width),
    y: clampedStart(crop.y / picture.height, height),
    width,
    height,
  };
}
