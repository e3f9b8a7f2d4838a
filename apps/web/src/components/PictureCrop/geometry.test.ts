import { expect, it } from "vitest";
import {
  type Crop,
  clampCrop,
  cropFromFractions,
  frameHeight,
  initialCrop,
  outputSize,
  panCrop,
  radians,
} from "./geometry.ts";

const LANDSCAPE = { width: 4000, height: 3000 };

/** The corners of the frame in picture pixels. */
function corners(picture: typeof LANDSCAPE, crop: Crop): { x: number; y: number }[] {
  const height = frameHeight(picture, crop);
  const angle = radians(crop);
  return [
    [-0.4, -0.5],
    [0.4, -0.5],
    [0.4, 0.5],
    [-0.4, 0.5],
  ].map(([right = 0, down = 0]) => ({
    x: crop.x + height * (right * Math.cos(angle) + down * Math.sin(angle)),
    y: crop.y + height * (down * Math.cos(angle) - right * Math.sin(angle)),
  }));
}

it("starts with the largest possible crop", () => {
  const crop = initialCrop(LANDSCAPE);
  expect(outputSize(LANDSCAPE, crop)).toEqual({ width: 2400, height: 3000 });
  expect(outputSize({ width: 800, height: 1000 }, initialCrop({ width: 800, height: 1000 }))).toEqual({
    width: 800,
    height: 1000,
  });
});

it("keeps the frame inside the picture for any position, zoom and rotation", () => {
  let random = 7;
  const next = () => {
    random = (random * 48271) % 2147483647;
    return random / 2147483647;
  };
  for (let times = 0; times < 2000; times += 1) {
    const picture = { width: 50 + next() * 4000, height: 50 + next() * 4000 };
    const crop = clampCrop(picture, {
      zoom: next() * 10,
      quarterTurns: Math.floor(next() * 9) - 4,
      tilt: next() * 80 - 40,
      x: next() * 9000 - 4000,
      y: next() * 9000 - 4000,
    });
    for (const { x, y } of corners(picture, crop)) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(y).toBeGreaterThanOrEqual(-0.01);
      expect(x).toBeLessThanOrEqual(picture.width + 0.01);
      expect(y).toBeLessThanOrEqual(picture.height + 0.01);
    }
  }
});

it("follows the finger in screen direction, rotated or not", () => {
  const zoomed = clampCrop(LANDSCAPE, { ...initialCrop(LANDSCAPE), zoom: 3 });
  expect(panCrop(LANDSCAPE, zoomed, 100, 0, 1)).toMatchObject({ x: zoomed.x - 100, y: zoomed.y });
  const turned = clampCrop(LANDSCAPE, { ...zoomed, quarterTurns: 1 });
  const moved = panCrop(LANDSCAPE, turned, 100, 0, 1);
  expect(moved.x).toBeCloseTo(turned.x, 6);
  expect(moved.y).toBeCloseTo(turned.y + 100, 6);
});

it("converts a suggested crop", () => {
  const crop = cropFromFractions(LANDSCAPE, { x: 0.5, y: 0.2, width: 0.3, height: 0.5 });
  expect(outputSize(LANDSCAPE, crop)).toEqual({ width: 1200, height: 1500 });
  expect(crop).toMatchObject({ x: 2600, y: 1350 });
});
