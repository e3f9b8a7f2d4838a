import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hmacSha256, isEqualInConstantTime, labeledMac } from "./mac.ts";

const ENV = { POSITION_KEY: "key" };

it("never changes its codes, because stored rows and cookies contain them", () => {
  expect(hmacSha256("key", "text").toString("base64url")).toBe("avqQRqlXnK0UOjhMG1ZLmiUNJ9b2pj-fIL86dZTJ4sY");
  expect(labeledMac(ENV, "label", "te", Buffer.from("xt")).toString("base64url")).toBe(
    "Gfwr4ZQRM6O6i-UPnU5DxaoaBMssU7iirBI7UzQUrXI",
  );
  expect(labeledMac(ENV, "label", "text")).toEqual(hmacSha256("label:key", "text"));
});

it("computes another code for each label, and none without the key", () => {
  expect(labeledMac(ENV, "one", "text")).not.toEqual(labeledMac(ENV, "other", "text"));
  expect(() => labeledMac({ POSITION_KEY: "" }, "label", "text")).toThrow("POSITION_KEY is not set");
});

it("keeps the labels of stored codes, which a new label would make invalid", () => {
  const sources = globSync("../**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts"] });
  const labels = sources.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    return [...text.matchAll(/labeledMac\(\w+, (["`])(.+?)\1/g)].map(([, , label]) => label?.replace(/\$\{.*\}/, "*"));
  });
  expect(labels.sort()).toEqual([
    "ban-*",
    "login-*",
    "notice-*",
    "notice-work",
    "passkey-challenge",
    "passkey-user",
    "picture-exemption",
    "random-position",
    "safe-meet-caller",
  ]);
});

it("compares texts of any length", () => {
  expect(isEqualInConstantTime("same", "same")).toBe(true);
  expect(isEqualInConstantTime("same", "some")).toBe(false);
  expect(isEqualInConstantTime("same", "same and more")).toBe(false);
});
