import { forgeHash, type GrayPicture, signalToNoise } from "@lambda/testing/forged-hash";
import { leavesSamples, type SceneOptions, sceneSamples } from "@lambda/testing/scene-picture";
import { describe, expect, it } from "vitest";
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN, hashDistance, perceptualHash } from "./perceptual-hash.ts";
import { openPrint, PRINT_CORRELATION_MIN, printCorrelation, printsAgree, sealPrint } from "./picture-print.ts";

const look = ({ width, height, gray }: GrayPicture) => perceptualHash({ width, height, channels: 1, data: gray });
const SEEDS = Array.from({ length: 8 }, (_, at) => at + 1);
const makers = [sceneSamples, leavesSamples];
const SIZE = { width: 128, height: 160 };
const corpus = makers.flatMap((make) =>
  SEEDS.map(
    (seed) =>
      (options: SceneOptions = {}) =>
        make(seed, { ...SIZE, ...options }),
  ),
);

const COPIES: Record<string, SceneOptions> = {
  smaller: { width: 96, height: 120 },
  square: { width: 256, height: 256 },
  brighter: { brightness: 20 },
  cropped: { crop: 0.01 },
  "cropped, smaller and darker": { crop: 0.01, width: 120, height: 150, brightness: -15 },
};

describe("the print of a picture", () => {
  it.each(Object.entries(COPIES))("agrees with that of a copy that is %s, whenever the hash finds it", (_, options) => {
    const found = corpus.flatMap((make) => {
      const [original, copy] = [look(make()), look(make(options))];
      if (original.quality < HASH_QUALITY_MIN || hashDistance(original.hash, copy.hash) > HASH_DISTANCE_MAX) return [];
      return [printCorrelation(original.print, copy.print)];
    });
    expect(found.length).toBeGreaterThan(corpus.length / 3);
    expect(Math.min(...found)).toBeGreaterThan(0.89);
  });

  it("disagrees with that of a picture that was changed until it had the same hash", () => {
    const forged = corpus.flatMap((make, at) => {
      const own = make();
      const target = look(corpus[(at + 5) % corpus.length]!());
      if (target.quality < HASH_QUALITY_MIN) return [];
      const picture = forgeHash(own, target.hash, (tried) => look(tried).hash);
      expect(hashDistance(look(picture).hash, target.hash)).toBe(0);
      return [{ correlation: printCorrelation(look(picture).print, target.print), noise: signalToNoise(own, picture) }];
    });
    expect(forged.length).toBeGreaterThan(14);
    // The attack is a real one: the picture stays the attacker's own to the eye.
    expect(forged.map(({ noise }) => noise).sort((a, b) => a - b)[forged.length >> 1]).toBeGreaterThan(18);
    expect(Math.max(...forged.map(({ correlation }) => correlation))).toBeLessThan(PRINT_CORRELATION_MIN - 0.1);
  });

  it("disagrees between different pictures", () => {
    const prints = corpus.map((make) => look(make()).print);
    const correlations = prints.flatMap((one, at) => prints.slice(at + 1).map((other) => printCorrelation(one, other)));
    expect(Math.max(...correlations)).toBeLessThan(PRINT_CORRELATION_MIN - 0.2);
  });

  it("is a candidate's only if one is missing or was sealed under another key", () => {
    const { print } = look(sceneSamples(1));
    const env = { SITE_KEY: "a" };
    const sealed = sealPrint(env, print);
    expect(Buffer.from(sealed).includes(Buffer.from(print))).toBe(false);
    expect(printsAgree(openPrint(env, sealed), print)).toBe(true);
    expect(printsAgree(openPrint({ SITE_KEY: "b" }, sealed), print)).toBeUndefined();
    expect(printsAgree(openPrint(env, null), print)).toBeUndefined();
  });
});
