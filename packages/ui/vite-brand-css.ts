import { brandCss } from "@lambda/brands";
import type { Plugin } from "vite";

const REQUEST = "virtual:brand.css";
/** Vite treats a module as a stylesheet by the end of its id. */
const RESOLVED = "\0virtual:brand.css";

/** Serves the palettes of the brands package as the stylesheet `virtual:brand.css`, which src/theme.tsx imports. */
export function brandCssPlugin(): Plugin {
  return {
    name: "lambda:brand-css",
    resolveId: (id) => (id === REQUEST ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? brandCss() : undefined),
  };
}
