import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./encryption.ts";

const env = { SITE_KEY: "a key of tests" };
const changeByte = (bytes: Buffer, index: number) =>
  Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte)));

describe("an encrypted text", () => {
  const encrypted = encrypt(env, "lattices", "señas", { context: "7" });

  it("is read again with the same key, label and context", () => {
    expect(decrypt(env, "lattices", encrypted, { context: "7" }).toString()).toBe("señas");
    expect(decrypt(env, "lattices", encrypt(env, "lattices", "")).toString()).toBe("");
  });

  it("never looks the same twice", () => {
    expect(encrypt(env, "lattices", "señas", { context: "7" })).not.toEqual(encrypted);
  });

  it.each([
    ["another key", () => decrypt({ SITE_KEY: "another" }, "lattices", encrypted, { context: "7" })],
    ["another label", () => decrypt(env, "picture-print", encrypted, { context: "7" })],
    ["another context", () => decrypt(env, "lattices", encrypted, { context: "8" })],
    ["no context", () => decrypt(env, "lattices", encrypted)],
    ["a changed key id", () => decrypt(env, "lattices", changeByte(encrypted, 0), { context: "7" })],
    ["a changed initialization vector", () => decrypt(env, "lattices", changeByte(encrypted, 4), { context: "7" })],
    ["a changed text", () => decrypt(env, "lattices", changeByte(encrypted, 17), { context: "7" })],
    ["a changed tag", () => decrypt(env, "lattices", changeByte(encrypted, encrypted.length - 1), { context: "7" })],
    ["a shorter text", () => decrypt(env, "lattices", encrypted.subarray(0, -1), { context: "7" })],
    ["almost nothing", () => decrypt(env, "lattices", Buffer.alloc(20))],
  ])("is refused with %s", (_name, read) => {
    expect(read).toThrow();
  });

  it("needs the server's key", () => {
    expect(() => encrypt({ SITE_KEY: "" }, "lattices", "text")).toThrow("SITE_KEY is not set");
  });
});
