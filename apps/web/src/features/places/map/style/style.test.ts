import { BRANDS } from "@lambda/brands";
import { type StyleSpecification, validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import { describe, expect, test } from "vitest";
import { mix } from "./colors.ts";
import { type MapStyleOptions, mapStyle } from "./style.ts";

const tilesUrl = "/tiles/world.pmtiles";
const variants: Pick<MapStyleOptions, "streetsMaxZoom">[] = [{}, { streetsMaxZoom: 14 }];
const styles = BRANDS.flatMap((brand) =>
  (["dark", "light"] as const).flatMap((theme) =>
    (["en", "es"] as const).flatMap((locale) =>
      variants.map((variant) => mapStyle({ palette: brand[theme], theme, locale, tilesUrl, ...variant })),
    ),
  ),
);

test("the style is valid for every brand, theme and language, with and without streets", () => {
  for (const style of styles) expect(validateStyleMin(style as StyleSpecification)).toEqual([]);
});

test("layers use existing sources and have unique ids", () => {
  for (const { layers, sources } of styles) {
    for (const layer of layers) if ("source" in layer) expect(Object.keys(sources)).toContain(layer.source);
    expect(new Set(layers.map((layer) => layer.id)).size).toBe(layers.length);
  }
});

test("all requests go to our origin", () => {
  for (const style of styles) {
    expect(style.glyphs).toBeUndefined();
    expect(style.sprite).toBeUndefined();
    const urls = Object.values(style.sources).flatMap((source) => [
      ...("url" in source && source.url ? [source.url] : []),
      ...("tiles" in source && source.tiles ? source.tiles : []),
    ]);
    for (const url of urls) expect(url).toMatch(/^(pmtiles:\/\/\/tiles\/|ground:\/\/\{z\}|streets:\/\/\{z\})/);
  }
});

describe("attribution", () => {
  const options = { palette: BRANDS[0]!.dark, theme: "dark", locale: "en", tilesUrl } as const;
  const attributions = (style: ReturnType<typeof mapStyle>) =>
    Object.values(style.sources)
      .map((source) => ("attribution" in source ? source.attribution : undefined))
      .filter(Boolean)
      .join(" ");

  test("always names Natural Earth, and OpenStreetMap if there are streets", () => {
    expect(attributions(mapStyle(options))).toBe("Natural Earth · GeoNames");
    expect(attributions(mapStyle({ ...options, streetsMaxZoom: 14 }))).toContain("OpenStreetMap contributors");
  });
});

test("mix interpolates each channel", () => {
  expect(mix("#000000", "#ffffff", 0)).toBe("#000000");
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mix("#102030", "#ff0000", 1)).toBe("#ff0000");
});
