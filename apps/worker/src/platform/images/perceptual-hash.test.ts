import { makeScenePng, type SceneOptions, sceneSamples } from "@lambda/testing/scene-picture";
import { describe, expect, it } from "vitest";
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN, hashDistance, type Pixels, perceptualHash } from "./perceptual-hash.ts";
import { pngPixels } from "./png-pixels.ts";

type Paint = (x: number, y: number) => readonly [number, number, number];

function paint(width: number, height: number, color: Paint): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set(color(x, y), (y * width + x) * 3);
  }
  return { width, height, channels: 3, data };
}

const noise = (): Paint => {
  let state = 12_346;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return [state >>> 24, (state >>> 16) & 255, (state >>> 8) & 255];
  };
};
const ripples =
  (width: number, height: number): Paint =>
  (x, y) => {
    const distance = (2 * x - width) ** 2 * 4 + (2 * y - height) ** 2;
    return [Math.floor(distance / 64) % 256, Math.floor(distance / 128) % 256, Math.floor(distance / 256) % 256];
  };

function renderScene(seed: number, variation?: SceneOptions): Pixels {
  const { gray, ...size } = sceneSamples(seed, variation);
  return { ...size, channels: 1, data: gray };
}

describe("the perceptual hash", () => {
  /** Expected hashes come from a compiled port of the published C++ code, run on the same samples. */
  it.each([
    ["noise", paint(512, 384, noise()), "c5b6fa766ba762b56d0b30ef5863202989baebcd12064733a383599e579981c9", 100],
    [
      "noise, upright",
      paint(300, 512, noise()),
      "18645270f26bdaba49c12c38df3f47b9f52ed4b3edd9811086f27e036386990e",
      100,
    ],
    ["odd sides", paint(97, 61, noise()), "cc47b8b2a5009af6beb2e18af6c0a786e24a16cd4843783c0fa2afd6ba934b9f", 100],
    ["its own size", paint(64, 64, noise()), "8c2a9ec8316fdc8c5e1e9079eeb22e1a7710825ae7c19cbb40a41bf21f666ed3", 100],
    [
      "rings",
      paint(300, 512, ripples(300, 512)),
      "4cdd232272a9377b8df73369508923328f762327588d3367a33636c95c8d23ad",
      100,
    ],
  ])("of %s equals the reference", (_, pixels, hash, quality) => {
    const result = perceptualHash(pixels);
    expect(hashDistance(result.hash, hash)).toBe(0);
    expect(result.quality).toBe(quality);
  });

  it.each([
    ["scaled", renderScene(7, { width: 96, height: 120 })],
    ["scaled unevenly", renderScene(7, { width: 256, height: 256 })],
    ["cropped a little", renderScene(7, { crop: 0.01 })],
    ["brightened", renderScene(7, { brightness: 20 })],
  ])("recognizes a picture that was %s", (_, copy) => {
    const original = perceptualHash(renderScene(7));
    expect(original.quality).toBeGreaterThanOrEqual(HASH_QUALITY_MIN);
    expect(hashDistance(original.hash, perceptualHash(copy).hash)).toBeLessThanOrEqual(HASH_DISTANCE_MAX);
  });

  it("differs widely between different pictures", () => {
    const hashes = Array.from({ length: 12 }, (_, seed) => perceptualHash(renderScene(seed + 1)).hash);
    const distances = hashes.flatMap((one, index) => hashes.slice(index + 1).map((other) => hashDistance(one, other)));
    expect(Math.min(...distances)).toBeGreaterThan(2 * HASH_DISTANCE_MAX);
  });

  it.each([
    ["one color", paint(512, 512, () => [90, 90, 90])],
    ["a soft gradient", paint(512, 384, (x) => [x >> 1, x >> 1, x >> 1])],
    ["a narrow strip", paint(4, 900, noise())],
    ["a pixel", paint(1, 1, () => [1, 2, 3])],
  ])("of %s has a quality below the limit", (_, pixels) => {
    expect(perceptualHash(pixels).quality).toBeLessThan(HASH_QUALITY_MIN);
  });

  it("does not depend on the PNG's sample format", () => {
    const png = pngPixels(makeScenePng(3));
    expect(png.channels).toBe(3);
    expect(hashDistance(perceptualHash(png).hash, perceptualHash(renderScene(3)).hash)).toBeLessThanOrEqual(2);
  });
});
