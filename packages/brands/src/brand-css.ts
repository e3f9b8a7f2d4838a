import { BRANDS } from "./all.ts";
import type { Brand, BrandPalette, SignalPalette } from "./brand.ts";
import { SIGNALS } from "./signals.ts";

/** Display stacks; the fall-back faces with adjusted metrics are declared in the ui package's fonts.css. */
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
 * The colour tokens and display faces of every brand and theme as one stylesheet, so that no colour is written twice.
 * The first brand and the dark theme hold where the attributes are absent.
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
