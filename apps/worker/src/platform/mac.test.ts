import { expect, it } from "vitest";
import { hmacSha256, isEqualInConstantTime } from "./mac.ts";

it("never changes its codes, because stored rows and cookies contain them", () => {
  expect(hmacSha256("key", "text").toString("base64url")).toBe("avqQRqlXnK0UOjhMG1ZLmiUNJ9b2pj-fIL86dZTJ4sY");
});

it("compares texts of any length", () => {
  expect(isEqualInConstantTime("same", "same")).toBe(true);
  expect(isEqualInConstantTime("same", "some")).toBe(false);
  expect(isEqualInConstantTime("same", "same and more")).toBe(false);
});
