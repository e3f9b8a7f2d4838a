import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./encryption.ts";

const env = { POSITION_KEY: "a key of tests" };
const changeByte = (bytes: Buffer, index: number) =>
  Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte)));

describe("an encrypted text", () => {
  const encrypted = encrypt(env, "test", "señas", { context: "7" });

  it("is read again with the same key, label and context", () => {
    expect(decrypt(env, "test", encrypted, { context: "7" }).toString()).toBe("señas");
    expect(decrypt(env, "test", encrypt(env, "test", "")).toString()).toBe("");
  });

  it("never looks the same twice", () => {
    expect(encrypt(env, "test", "señas", { context: "7" })).not.toEqual(encrypted);
  });

  it.each([
    ["another key", () => decrypt({ POSITION_KEY: "another" }, "test", encrypted, { context: "7" })],
    ["another label", () => decrypt(env, "other", encrypted, { context: "7" })],
    ["another context", () => decrypt(env, "test", encrypted, { context: "8" })],
    ["no context", () => decrypt(env, "test", encrypted)],
    ["a changed initialization vector", () => decrypt(env, "test", changeByte(encrypted, 0), { context: "7" })],
    ["a changed text", () => decrypt(env, "test", changeByte(encrypted, 13), { context: "7" })],
    ["a changed tag", () => decrypt(env, "test", changeByte(encrypted, encrypted.length - 1), { context: "7" })],
    ["a shorter text", () => decrypt(env, "test", encrypted.subarray(0, -1), { context: "7" })],
    ["almost nothing", () => decrypt(env, "test", Buffer.alloc(20))],
  ])("is refused with %s", (_name, read) => {
    expect(read).toThrow();
  });

  it("needs the server's key", () => {
    expect(() => encrypt({ POSITION_KEY: "" }, "test", "text")).toThrow("POSITION_KEY is not set");
  });
});
