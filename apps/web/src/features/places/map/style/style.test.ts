import { BRANDS } from "@lambda/brands";
import { toMercator } from "@lambda/geo/mercator";
import {
  type FilterSpecification,
  featureFilter,
  type StyleSpecification,
  validateStyleMin,
} from "@maplibre/maplibre-gl-style-spec";
import { describe, expect, test } from "vitest";
import { mix } from "./colors.ts";
import { type MapStyleOptions, mapStyle } from "./style.ts";

const tilesUrl = "/tiles/world.pmtiles";
const region = {
  name: "san-francisco",
  bounds: { west: -122.52, south: 37.7, east: -122.35, north: 37.83 },
  maxZoom: 14,
  bytes: 1,
  tsInstalled: 0,
};
const variants: Pick<MapStyleOptions, "regions">[] = [{ regions: [] }, { regions: [region] }];
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
  const options = { palette: BRANDS[0]!.dark, theme: "dark", locale: "en", tilesUrl, regions: [] } as const;
  const attributions = (style: ReturnType<typeof mapStyle>) =>
    Object.values(style.sources)
      .map((source) => ("attribution" in source ? source.attribution : undefined))
      .filter(Boolean)
      .join(" ");

  test("always names Natural Earth, and OpenStreetMap if there are streets", () => {
    expect(attributions(mapStyle(options))).toBe("Natural Earth · GeoNames");
    expect(attributions(mapStyle({ ...options, regions: [region] }))).toContain("OpenStreetMap contributors");
  });
});

/** Of a tile, in units along its side. */
const EXTENT = 8192;

test("outside of the regions with streets, towns and quarters keep their names when zoomed in", () => {
  const style = mapStyle({ palette: BRANDS[0]!.dark, theme: "dark", locale: "en", tilesUrl, regions: [region] });
  const namesAt = (zoom: number, kind: string, lon: number, lat: number) => {
    const { x, y } = toMercator(lat, lon);
    const geometry = [[{ x: x * EXTENT, y: y * EXTENT }]];
    return style.layers.filter((layer) => {
      if (!("source-layer" in layer) || layer["source-layer"] !== "places" || layer.source !== "world") return false;
      if (zoom < (layer.minzoom ?? 0) || zoom >= (layer.maxzoom ?? 24)) return false;
      const { filter } = featureFilter(layer.filter as FilterSpecification, "filter");
      return filter(
        { zoom },
        { type: 1, properties: { kind, rank: 4 }, geometry } as never,
        { z: 0, x: 0, y: 0 } as never,
      );
    }).length;
  };
  for (const kind of ["city", "quarter"]) {
    expect(namesAt(14, kind, -112.07, 33.45), `${kind} without streets`).toBe(1);
    expect(namesAt(14, kind, -122.43, 37.76), `${kind} with streets`).toBe(0);
  }
});

test("mix interpolates each channel", () => {
  expect(mix("#000000", "#ffffff", 0)).toBe("#000000");
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mix("#102030", "#ff0000", 1)).toBe("#ff0000");
});
