/**
 * The geometry of a crop. The frame stays fixed while the picture moves, zooms and rotates under it, and the picture always covers the
 * whole frame. Pure functions.
 */
import { PICTURE_CROP_ASPECT, PICTURE_ORIGINAL_MAX_PX } from "@lambda/contract/limits";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Crop {
  /** 1 shows as much of the picture as fits into the frame. */
  readonly zoom: number;
  /** Clockwise quarter turns, 0 to 3. */
  readonly quarterTurns: number;
  /** Degrees in addition to the quarter turns. */
  readonly tilt: number;
  /** The point of the picture, in its own pixels, under the center of the frame. */
  readonly x: number;
  readonly y: number;
}

export const ZOOM_MAX = 8;
export const TILT_MAX_DEGREES = 20;

/** Half the width and height of the frame's bounding box along the picture's rotated axes, for a frame of this height. */
function frameHalfExtents(crop: Pick<Crop, "quarterTurns" | "tilt">, height: number): { across: number; down: number } {
  const angle = radians(crop);
  const width = height * PICTURE_CROP_ASPECT;
  const cos = Math.abs(Math.cos(angle));
  const sin = Math.abs(Math.sin(angle));
  return { across: (width * cos + height * sin) / 2, down: (width * sin + height * cos) / 2 };
}

export function radians({ quarterTurns, tilt }: Pick<Crop, "quarterTurns" | "tilt">): number {
  return ((quarterTurns * 90 + tilt) * Math.PI) / 180;
}

/** The height of the frame in picture pixels. */
export function frameHeight(picture: Size, crop: Pick<Crop, "quarterTurns" | "tilt" | "zoom">): number {
  const { across, down } = frameHalfExtents(crop, 1);
  return Math.min(picture.width / (2 * across), picture.height / (2 * down)) / crop.zoom;
}

export function initialCrop(picture: Size): Crop {
  return { zoom: 1, quarterTurns: 0, tilt: 0, x: picture.width / 2, y: picture.height / 2 };
}

/** The nearest valid crop that keeps the frame inside the picture. */
export function clampCrop(picture: Size, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, ZOOM_MAX);
  const tilt = clamp(crop.tilt, -TILT_MAX_DEGREES, TILT_MAX_DEGREES);
  const quarterTurns = ((crop.quarterTurns % 4) + 4) % 4;
  const { across, down } = frameHalfExtents({ quarterTurns, tilt }, frameHeight(picture, { quarterTurns, tilt, zoom }));
  return {
    zoom,
    tilt,
    quarterTurns,
    x: clamp(crop.x, Math.min(across, picture.width / 2), Math.max(picture.width - across, picture.width / 2)),
    y: clamp(crop.y, Math.min(down, picture.height / 2), Math.max(picture.height - down, picture.height / 2)),
  };
}

/** Moves the picture by screen pixels; `scale` is screen pixels per picture pixel. */
export function panCrop(picture: Size, crop: Crop, right: number, down: number, scale: number): Crop {
  const angle = radians(crop);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return clampCrop(picture, {
    ...crop,
    x: crop.x - (right * cos + down * sin) / scale,
    y: crop.y - (down * cos - right * sin) / scale,
  });
}

/** The size of the cropped file in pixels: the picture's own resolution, limited to what the server stores. */
export function outputSize(picture: Size, crop: Crop): Size {
  const height = Math.max(1, Math.min(PICTURE_ORIGINAL_MAX_PX, Math.round(frameHeight(picture, crop))));
  return { width: Math.max(1, Math.round(height * PICTURE_CROP_ASPECT)), height };
}

/** Converts a suggested crop, given in fractions of the picture's width and height. */
export function cropFromFractions(picture: Size, parts: { x: number; y: number; width: number; height: number }): Crop {
  const start = initialCrop(picture);
  const height = Math.min(parts.height * picture.height, (parts.width * picture.width) / PICTURE_CROP_ASPECT);
  return clampCrop(picture, {
    ...start,
    zoom: frameHeight(picture, start) / Math.max(1, height),
    x: (parts.x + parts.width / 2) * picture.width,
    y: (parts.y + parts.height / 2) * picture.height,
  });
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
