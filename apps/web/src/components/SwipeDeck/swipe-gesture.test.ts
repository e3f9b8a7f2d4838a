import { describe, expect, it } from "vitest";
import { cardRotation, releaseVerdict, resistUpward, verdictAt, verdictStrength } from "./swipe-gesture.ts";

const still = { x: 0, y: 0 };

describe("a swipe", () => {
  it("means LIKE to the right, DISLIKE to the left and UNDETERMINED downward", () => {
    expect(releaseVerdict({ x: 120, y: 20 }, still)).toBe("LIKE");
    expect(releaseVerdict({ x: -120, y: -60 }, still)).toBe("DISLIKE");
    expect(releaseVerdict({ x: 30, y: 140 }, still)).toBe("UNDETERMINED");
  });

  it("means nothing upward, where the card resists", () => {
    expect(releaseVerdict({ x: 0, y: -400 }, { x: 0, y: -3 })).toBeUndefined();
    expect(releaseVerdict({ x: 40, y: -400 }, { x: 0, y: -3 })).toBeUndefined();
    expect(resistUpward({ x: 0, y: -100 }).y).toBeCloseTo(-12);
  });

  it("needs enough distance or speed", () => {
    expect(releaseVerdict({ x: 50, y: 0 }, still)).toBeUndefined();
    expect(releaseVerdict({ x: 50, y: 0 }, { x: 0.8, y: 0 })).toBe("LIKE");
    expect(releaseVerdict({ x: 10, y: 0 }, { x: 2, y: 0 })).toBeUndefined();
  });

  it("shows its verdict before the release", () => {
    expect(verdictAt({ x: 20, y: 3 })).toBe("LIKE");
    expect(verdictAt(still)).toBeUndefined();
    expect(verdictStrength({ x: -48, y: 0 })).toBe(0.5);
    expect(verdictStrength({ x: 0, y: -300 })).toBe(0);
  });

  it("tilts the card with the finger, and the other way if held at the bottom", () => {
    expect(cardRotation({ x: 100, y: 0 }, false)).toBeCloseTo(6);
    expect(cardRotation({ x: 100, y: 0 }, true)).toBeCloseTo(-6);
    expect(cardRotation({ x: 9000, y: 0 }, false)).toBe(14);
  });
});
