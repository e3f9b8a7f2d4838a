import { expect, it } from "vitest";
import { type Crop, cropOfParts, drag, frameHeight, outputSize, radians, settle, startCrop } from "./geometry.ts";

const LANDSCAPE = { width: 4000, height: 3000 };

/** Corners of the frame in the picture's pixels. */
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

it("starts with as much as fits", () => {
  const crop = startCrop(LANDSCAPE);
  expect(outputSize(LANDSCAPE, crop)).toEqual({ width: 2400, height: 3000 });
  expect(outputSize({ width: 800, height: 1000 }, startCrop({ width: 800, height: 1000 }))).toEqual({
    width: 800,
    height: 1000,
  });
});

it("never leaves the picture, wherever it is dragged and however it is turned", () => {
  let random = 7;
  const next = () => {
    random = (random * 48271) % 2147483647;
    return random / 2147483647;
  };
  for (let times = 0; times < 2000; times += 1) {
    const picture = { width: 50 + next() * 4000, height: 50 + next() * 4000 };
    const crop = settle(picture, {
      zoom: next() * 10,
      quarters: Math.floor(next() * 9) - 4,
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

it("follows the finger in the direction of the screen, turned or not", () => {
  const zoomed = settle(LANDSCAPE, { ...startCrop(LANDSCAPE), zoom: 3 });
  expect(drag(LANDSCAPE, zoomed, 100, 0, 1)).toMatchObject({ x: zoomed.x - 100, y: zoomed.y });
  const turned = settle(LANDSCAPE, { ...zoomed, quarters: 1 });
  const moved = drag(LANDSCAPE, turned, 100, 0, 1);
  expect(moved.x).toBeCloseTo(turned.x, 6);
  expect(moved.y).toBeCloseTo(turned.y + 100, 6);
});

it("turns into a suggested crop", () => {
  const crop = cropOfParts(LANDSCAPE, { x: 0.5, y: 0.2, width: 0.3, height: 0.5 });
  expect(outputSize(LANDSCAPE, crop)).toEqual({ width: 1200, height: 1500 });
  expect(crop).toMatchObject({ x: 2600, y: 1350 });
});
