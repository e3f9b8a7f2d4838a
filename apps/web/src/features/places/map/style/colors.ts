import type { BrandPalette } from "@lambda/brands";

/** The map's colors, mixed from the brand's: darker and less saturated than the interface around it. */
export interface MapColors {
  readonly water: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly fineBorder: string;
  readonly grid: string;
  readonly green: string;
  readonly building: string;
  readonly roadCasing: string;
  readonly road: string;
  readonly mainRoad: string;
  readonly ring: string;
  readonly strongText: string;
  readonly text: string;
  readonly quietText: string;
  readonly waterText: string;
  readonly greenText: string;
  readonly halo: string;
}

export function mapColors(palette: BrandPalette, theme: "dark" | "light"): MapColors {
  const { surface, raised, line, text, muted, accent } = palette;
  if (theme === "dark") {
    const land = mix(mix(surface, raised, 0.75), accent, 0.015);
    return {
      water: mix(mix(surface, "#000000", 0.45), accent, 0.035),
      land,
      coast: mix(land, mix(line, accent, 0.25), 0.9),
      border: mix(land, muted, 0.38),
      fineBorder: mix(land, muted, 0.22),
      grid: mix(land, muted, 0.5),
      green: mix(land, "#3f7d4b", 0.17),
      building: mix(land, line, 0.42),
      roadCasing: mix(surface, "#000000", 0.25),
      road: mix(land, line, 1),
      mainRoad: mix(line, muted, 0.28),
      ring: accent,
      strongText: mix(text, muted, 0.25),
      text: muted,
      quietText: mix(muted, land, 0.25),
      waterText: mix(muted, accent, 0.25),
      greenText: mix(muted, "#6fae79", 0.35),
      halo: surface,
    };
  }
  const land = surface;
  return {
    water: mix(mix(surface, line, 0.5), accent, 0.03),
    land,
    coast: mix(line, muted, 0.35),
    border: mix(land, muted, 0.5),
    fineBorder: mix(land, muted, 0.28),
    grid: mix(land, muted, 0.62),
    green: mix(land, "#5d9a5f", 0.2),
    building: mix(land, line, 0.45),
    roadCasing: mix(land, line, 0.95),
    road: raised,
    mainRoad: mix(raised, accent, 0.1),
    ring: accent,
    strongText: text,
    text: mix(text, muted, 0.7),
    quietText: muted,
    waterText: mix(muted, accent, 0.25),
    greenText: mix(muted, "#3f7d4b", 0.5),
    halo: mix(surface, raised, 0.5),
  };
}

/** Interpolates between two #rrggbb colors. A ratio of 0 gives the first. */
export function mix(from: string, to: string, ratio: number): string {
  const channel = (index: number) => {
    const [a, b] = [Number.parseInt(from.slice(index, index + 2), 16), Number.parseInt(to.slice(index, index + 2), 16)];
    return Math.round(a + (b - a) * ratio)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
