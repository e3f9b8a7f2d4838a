import { expect, it } from "vitest";
import { placeFrames } from "./frames.ts";

it("finds the source of each frame, and leaves what it does not know", () => {
  // The bundle's line 1, column 4 is line 3 of the source.
  const map = { version: 3, file: "index.js", sources: ["../../apps/worker/src/a.ts"], names: [], mappings: "IAEA" };
  const error = "Error | D1_ERROR: overloaded | at async receive (index.js:1:5) | at native";
  expect(placeFrames(error, map as never)).toBe(
    "Error\nD1_ERROR: overloaded\nat async receive  apps/worker/src/a.ts:3\nat native",
  );
});
