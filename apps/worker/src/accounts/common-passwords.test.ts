import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./passwords.ts";

describe("common passwords", () => {
  it.each([
    "1234567890",
    "qwertyuiop",
    "Password123",
    "michael1985",
    "!!dragon2!",
    "ILoveYou2024",
    "sunshinesunshine",
    "contraseña1",
  ])("recognizes %s", async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each([
    "demo-password",
    "correct horse battery staple",
    "michael 1985 Bilbao",
    "una noche sin luna",
    "日本語のとても長い合言葉",
  ])("accepts %s", async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });

  it("covers more than the 3,000 that ASVS asks for, at an allowed length", async () => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    const long = dictionary["passwords-common"].filter((password) => password.length >= 6);
    expect(long.length).toBeGreaterThan(3000);
    for (const password of long.slice(0, 3000)) expect(await isCommonPassword(`${password}1234`)).toBe(true);
  });
});
