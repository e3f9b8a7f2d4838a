import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createPrefixHasher } from "./prefix-hasher.ts";

it("computes SHA-256 for prefixes of any length", () => {
  for (let length = 0; length < 140; length += 7) {
    const prefix = "é".repeat(length % 3) + "x".repeat(length);
    const hash = createPrefixHasher(prefix);
    for (const number of [0, 7, 123, 65_536, Number.MAX_SAFE_INTEGER]) {
      const expected = createHash("sha256").update(`${prefix}${number}`).digest().readUInt32BE(0);
      expect(hash(number), `${length} ${number}`).toBe(expected);
    }
  }
});
