import type { CropBox } from "@lambda/contract/games";
import { PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import type { Crop, Size } from "../../../components/PictureCrop/geometry.ts";

/** The frame of an unturned crop in parts of the picture, inside of it whatever the rounding. */
export function boxOf(picture: Size, crop: Pick<Crop, "x" | "y">, frameHeight: number): CropBox {
  const height = Math.min(1, frameHeight / picture.height);
  const width = Math.min(1, (frameHeight * PICTURE_CROP_ASPECT) / picture.width);
  const within = (centre: number, size: number) => Math.min(1 - size, Math.max(0, centre - size / 2));
  return { x: within(crop.x / picture.width, width), y: within(crop.y / picture.height, height), width, height };
}
