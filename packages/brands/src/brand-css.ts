import { BRANDS } from "./all.ts";
import type { Brand, BrandPalette, SignalPalette } from "./brand.ts";
import { SIGNALS } from "./signals.ts";

/** Font stacks of the display faces. The ui package's fonts.css declares the fallback faces with adjusted metrics. */
const DISPLAY: Record<Brand["display"], string> = {
  fraunces: '"Fraunces Variable", "Fraunces Fallback", Georgia, serif',
  bricolage: '"Bricolage Grotesque Variable", "Bricolage Fallback", system-ui, sans-serif',
  hepta: '"Hepta Slab Variable", "Hepta Fallback", Rockwell, serif',
};

/** Where the member sets the colors of all pages, ours are theirs: the browser would remove what draws switches and boxes. */
const FORCED: BrandPalette & SignalPalette = {
  surface: "Canvas",
  raised: "Canvas",
  line: "CanvasText",
  edge: "CanvasText",
  tint: "Canvas",
  text: "CanvasText",
  muted: "CanvasText",
  accent: "Highlight",
  onAccent: "HighlightText",
  accentText: "LinkText",
  danger: "CanvasText",
  dangerFill: "Highlight",
  onDanger: "HighlightText",
  success: "CanvasText",
  warn: "CanvasText",
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
  const forced = declarations(FORCED).replaceAll(";", "!important;");
  rules.push(`@media (forced-colors:active){:root{forced-color-adjust:none;${forced}}}`);
  return `${rules.join("\n")}\n`;
}
