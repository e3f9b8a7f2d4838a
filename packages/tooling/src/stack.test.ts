import { expect, it } from "vitest";
import { mapStackFrames } from "./stack.ts";

it("maps each frame to its source, and leaves unknown frames unchanged", () => {
  // Maps line 1, column 4 of the bundle to line 3 of the source.
  const map = { version: 3, file: "index.js", sources: ["../../apps/worker/src/a.ts"], names: [], mappings: "IAEA" };
  const error = "Error | D1_ERROR: overloaded | at async receive (index.js:1:5) | at native";
  expect(mapStackFrames(error, map as never)).toBe(
    "Error\nD1_ERROR: overloaded\nat async receive  apps/worker/src/a.ts:3\nat native",
  );
});
