/**
 * Where a crop's frame lies on a picture. The frame stands still and the picture moves, zooms and turns under it; whatever the
 * member does, the picture covers the whole frame. Pure numbers, so that it is tested without a screen.
 */
import { PICTURE_CROP_ASPECT, PICTURE_ORIGINAL_MAX_PX } from "@lambda/contract/limits";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Crop {
  /** 1: as much of the picture as the frame can hold. */
  readonly zoom: number;
  /** Clockwise quarter turns, 0 to 3. */
  readonly quarters: number;
  /** Degrees beside the quarters. */
  readonly tilt: number;
  /** The picture's point, in its own pixels, under the frame's centre. */
  readonly x: number;
  readonly y: number;
}

export const ZOOM_MAX = 8;
export const TILT_MAX_DEGREES = 20;

/** The frame as the picture's turned axes see it, for a frame of this height: half the room that it needs. */
function reach(crop: Pick<Crop, "quarters" | "tilt">, height: number): { across: number; down: number } {
  const angle = radians(crop);
  const width = height * PICTURE_CROP_ASPECT;
  const cos = Math.abs(Math.cos(angle));
  const sin = Math.abs(Math.sin(angle));
  return { across: (width * cos + height * sin) / 2, down: (width * sin + height * cos) / 2 };
}

export function radians({ quarters, tilt }: Pick<Crop, "quarters" | "tilt">): number {
  return ((quarters * 90 + tilt) * Math.PI) / 180;
}

/** Height of the frame in the picture's pixels. */
export function frameHeight(picture: Size, crop: Pick<Crop, "quarters" | "tilt" | "zoom">): number {
  const { across, down } = reach(crop, 1);
  return Math.min(picture.width / (2 * across), picture.height / (2 * down)) / crop.zoom;
}

export function startCrop(picture: Size): Crop {
  return { zoom: 1, quarters: 0, tilt: 0, x: picture.width / 2, y: picture.height / 2 };
}

/** The nearest crop that keeps the frame inside of the picture. */
export function settle(picture: Size, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, ZOOM_MAX);
  const tilt = clamp(crop.tilt, -TILT_MAX_DEGREES, TILT_MAX_DEGREES);
  const quarters = ((crop.quarters % 4) + 4) % 4;
  const { across, down } = reach({ quarters, tilt }, frameHeight(picture, { quarters, tilt, zoom }));
  return {
    zoom,
    tilt,
    quarters,
    x: clamp(crop.x, Math.min(across, picture.width / 2), Math.max(picture.width - across, picture.width / 2)),
    y: clamp(crop.y, Math.min(down, picture.height / 2), Math.max(picture.height - down, picture.height / 2)),
  };
}

/** Moves the picture by a way on the screen; `scale` is screen pixels for each of the picture's. */
export function drag(picture: Size, crop: Crop, right: number, down: number, scale: number): Crop {
  const angle = radians(crop);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return settle(picture, {
    ...crop,
    x: crop.x - (right * cos + down * sin) / scale,
    y: crop.y - (down * cos - right * sin) / scale,
  });
}

/** Pixels of the file that a crop makes: as many as the picture has there, at most what the server keeps. */
export function outputSize(picture: Size, crop: Crop): Size {
  const height = Math.max(1, Math.min(PICTURE_ORIGINAL_MAX_PX, Math.round(frameHeight(picture, crop))));
  return { width: Math.max(1, Math.round(height * PICTURE_CROP_ASPECT)), height };
}

/** A crop from parts of the picture's width and height, as others suggest it. */
export function cropOfParts(picture: Size, parts: { x: number; y: number; width: number; height: number }): Crop {
  const start = startCrop(picture);
  const height = Math.min(parts.height * picture.height, (parts.width * picture.width) / PICTURE_CROP_ASPECT);
  return settle(picture, {
    ...start,
    zoom: frameHeight(picture, start) / Math.max(1, height),
    x: (parts.x + parts.width / 2) * picture.width,
    y: (parts.y + parts.height / 2) * picture.height,
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
