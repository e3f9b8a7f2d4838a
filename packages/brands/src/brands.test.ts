import { findNameProblem } from "@lambda/contract/names";
import { describe, expect, it } from "vitest";
import {
  ALL_BRANDS_MASK,
  BRANDS,
  type BrandPalette,
  brandCss,
  missingContacts,
  resolveBrand,
  SIGNALS,
} from "./index.ts";

/** WCAG 2.2 relative luminance of "#rrggbb". */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Minimum contrast: 4.5:1 for text (WCAG 1.4.3), 3:1 for control outlines and graphics (1.4.11). */
const TEXT = 4.5;
const SHAPE = 3;
const GROUNDS = ["surface", "raised", "tint"] as const;
const PAIRS: readonly (readonly [keyof BrandPalette, keyof BrandPalette, number])[] = [
  ...GROUNDS.flatMap((ground) => [
    ["text", ground, TEXT] as const,
    ["muted", ground, TEXT] as const,
    ["accentText", ground, TEXT] as const,
  ]),
  ["onAccent", "accent", TEXT],
  ["accent", "surface", SHAPE],
  ["accent", "raised", SHAPE],
  ["edge", "surface", SHAPE],
  ["edge", "raised", SHAPE],
];

describe.each(BRANDS)("$name", (brand) => {
  describe.each(["dark", "light"] as const)("%s", (theme) => {
    const palette = brand[theme];
    it.each(PAIRS)("%s on %s reaches %d:1", (front, ground, minimum) => {
      expect(contrast(palette[front], palette[ground])).toBeGreaterThanOrEqual(minimum);
    });
    it.each(GROUNDS)("has readable signal colors on %s", (ground) => {
      for (const signal of ["danger", "success", "warn"] as const) {
        expect.soft(contrast(SIGNALS[theme][signal], palette[ground]), signal).toBeGreaterThanOrEqual(TEXT);
      }
    });
  });

  it("is resolved from each of its hosts, with any port and case, and from no other", () => {
    for (const host of brand.hosts) {
      expect(resolveBrand(host)).toBe(brand);
      expect(resolveBrand(`${host.toUpperCase()}:8787`)).toBe(brand);
      expect(resolveBrand(`${host}.`)).toBe(brand);
      expect(resolveBrand(`${host}.evil.test`)).toBeUndefined();
      expect(resolveBrand(`evil${host}`)).toBeUndefined();
    }
  });
});

it("has readable text on the danger fill", () => {
  for (const signals of [SIGNALS.dark, SIGNALS.light]) {
    expect(contrast(signals.onDanger, signals.dangerFill)).toBeGreaterThanOrEqual(TEXT);
  }
});

it("resolves no brand for unknown hosts, IP addresses or an empty string", () => {
  for (const host of ["", "example", "127.0.0.1", "test.localhost", "ember.example.com"]) {
    expect(resolveBrand(host)).toBeUndefined();
  }
});

it("resolves no brand for local development hosts", () => {
  for (const host of ["localhost", "localhost:8787", "ember.localhost"]) expect(resolveBrand(host)).toBeUndefined();
});

it("gives each brand its own bit and hosts", () => {
  const bits = BRANDS.map((brand) => brand.bit);
  expect(new Set(bits).size).toBe(BRANDS.length);
  expect(bits.every((bit) => Number.isInteger(Math.log2(bit)))).toBe(true);
  expect(ALL_BRANDS_MASK).toBe(bits.reduce((sum, bit) => sum + bit, 0));
  const hosts = BRANDS.flatMap((brand) => brand.hosts);
  expect(new Set(hosts).size).toBe(hosts.length);
});

it("includes every color of every brand and theme in the stylesheet, with the first brand as default", () => {
  const css = brandCss();
  for (const brand of BRANDS) {
    const root = brand === BRANDS[0] ? ":root" : `:root[data-brand="${brand.id}"]`;
    expect(css).toContain(`${root}{`);
    for (const [theme, suffix] of [
      ["dark", ""],
      ["light", '[data-theme="light"]'],
    ] as const) {
      const rule = css.split("\n").find((line) => line.startsWith(`${root}${suffix}{`));
      for (const color of Object.values(brand[theme])) expect(rule).toContain(color);
    }
  }
});

it("lists missing contact details, but not a representative who is not required", () => {
  const contact = { post: "1 Street", authorities: "law@ember.example", languages: ["en"], representative: null };
  expect(missingContacts(contact)).toEqual([]);
  expect(missingContacts({ ...contact, post: " ", languages: [], representative: "" })).toEqual([
    "post",
    "representative",
    "languages",
  ]);
});

it.each(BRANDS)("protects the name $name from members who pose as the site", ({ name }) => {
  expect(findNameProblem(`${name} Team`)).toBe("reserved");
  expect(findNameProblem(name)).toBe("reserved");
});
