import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./encryption.ts";
import { derivedKeys, mac, macs, oldestMac, PURPOSES, type Purpose, parseVersions } from "./keys.ts";
import { hmacSha256 } from "./mac.ts";

const OLD = { SITE_KEY: "old" };
const ROTATED = { SITE_KEY: "2:new,1:old" };
const NEW = { SITE_KEY: "2:new" };
const purposes = (rotation: string) =>
  (Object.keys(PURPOSES) as Purpose[]).filter((purpose) => PURPOSES[purpose] === rotation);

it("never changes its codes, because stored rows and cookies contain them", () => {
  const env = { SITE_KEY: "key" };
  expect(mac(env, "ban-address", "te", Buffer.from("xt"))).toEqual(hmacSha256("ban-address:key", "text"));
  expect(mac(env, "ban-address", "text").toString("base64url")).toBe("XelibSv2_FIs6QuX0Jy9FODorfuZnJYNQh2xlBgyQRI");
  expect(derivedKeys(env, "place memory")[0]?.toString("base64url")).toBe(
    "XcZq6rk80aGZ89iquscQ-6yj8uFKUvn80QVSDkTrKZ8",
  );
});

it("makes another code for each purpose, and none without the secret", () => {
  const codes = Object.keys(PURPOSES).map((purpose) => mac(OLD, purpose as Purpose, "text").toString("hex"));
  expect(new Set(codes).size).toBe(codes.length);
  expect(() => mac({ SITE_KEY: "" }, "draw", "text")).toThrow("SITE_KEY is not set");
  for (const text of ["2:", "1:a,b", "3:a,3:b", "a,"])
    expect(() => parseVersions("SITE_KEY", text)).toThrow("SITE_KEY");
});

describe("a new version", () => {
  it("makes everything", () => {
    for (const purpose of Object.keys(PURPOSES) as Purpose[]) {
      expect(mac(ROTATED, purpose, "text"), purpose).toEqual(mac({ SITE_KEY: "new" }, purpose, "text"));
      expect(decrypt(NEW, purpose, encrypt(ROTATED, purpose, "text")).toString()).toBe("text");
    }
  });

  it.each([...purposes("renewed"), ...purposes("read")])("recognizes what the old one made: %s", (purpose) => {
    expect(macs(ROTATED, purpose, "text").slice(1)).toEqual([mac(OLD, purpose, "text")]);
    const encrypted = encrypt(OLD, purpose, "text", { context: "7" });
    expect(decrypt(ROTATED, purpose, encrypted, { context: "7" }).toString()).toBe("text");
    // Bytes from before they named their key.
    expect(decrypt(ROTATED, purpose, encrypted.subarray(4), { context: "7" }).toString()).toBe("text");
    expect(() => decrypt(NEW, purpose, encrypted, { context: "7" })).toThrow();
  });

  it.each(purposes("ended"))("ends what the old one made, which a thief of it could make: %s", (purpose) => {
    expect(macs(ROTATED, purpose, "text")).toEqual([mac(NEW, purpose, "text")]);
    expect(() => decrypt(ROTATED, purpose, encrypt(OLD, purpose, "text"))).toThrow();
  });

  it("leaves what was derived from the old one before it was stored", () => {
    expect(oldestMac(ROTATED, "own", "text")).toEqual(oldestMac(OLD, "own", "text"));
  });
});

it("no other file reads the secret, and each purpose is used", () => {
  const directory = join(import.meta.dirname, "..");
  const files = globSync("**/*.ts", { cwd: directory, exclude: ["**/*.test.ts"] }).filter(
    (file) => file !== "platform/keys.ts",
  );
  const texts = files.map((file) => ({ file, text: readFileSync(join(directory, file), "utf8") }));
  const reading = texts.filter(({ text }) => text.includes("SITE_KEY")).map(({ file }) => file);
  // The type of the bindings, and the check that the secret is set.
  expect(reading.toSorted()).toEqual(["platform/env.ts", "platform/required-keys.ts"]);
  const unused = Object.keys(PURPOSES).filter((purpose) => !texts.some(({ text }) => text.includes(`"${purpose}"`)));
  expect(unused).toEqual([]);
});
