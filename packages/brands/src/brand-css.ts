import { BRANDS } from "./all.ts";
import type { Brand, BrandPalette, SignalPalette } from "./brand.ts";
import { SIGNALS } from "./signals.ts";

/** Font stacks of the display faces. The ui package's fonts.css declares the fallback faces with adjusted metrics. */
const DISPLAY: Record<Brand["display"], string> = {
  fraunces: '"Fraunces Variable", "Fraunces Fallback", Georgia, serif',
  bricolage: '"Bricolage Grotesque Variable", "Bricolage Fallback", system-ui, sans-serif',
  hepta: '"Hepta Slab Variable", "Hepta Fallback", Rockwell, serif',
};

function declarations(palette: BrandPalette | SignalPalette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value};`)
    .join("");
}

/**
 * One stylesheet with the color tokens and display faces of all brands and themes, so that no color is defined twice. Without the
 * attributes, the first brand and the dark theme apply.
 */
export function brandCss(): string {
  const [first, ...sisters] = BRANDS;
  const rules = [
    `:root{color-scheme:dark;--font-display:${DISPLAY[first.display]};${declarations(first.dark)}${declarations(SIGNALS.dark)}}`,
    `:root[data-theme="light"]{color-scheme:light;${declarations(first.light)}${declarations(SIGNALS.light)}}`,
  ];
  for (const brand of sisters) {
    const root = `:root[data-brand="${brand.id}"]`;
    rules.push(`${root}{--font-display:${DISPLAY[brand.display]};${declarations(brand.dark)}}`);
    rules.push(`${root}[data-theme="light"]{${declarations(brand.light)}}`);
  }
  return `${rules.join("\n")}\n`;
}
