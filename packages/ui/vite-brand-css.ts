import { brandCss } from "@lambda/brands";
import type { Plugin } from "vite";

const REQUEST = "virtual:brand.css";
/** Ends in ".css", so that Vite treats the module as a stylesheet. */
const RESOLVED = "\0virtual:brand.css";

/** Serves the brands' color palettes as the stylesheet `virtual:brand.css`, which src/theme.tsx imports. */
export function brandCssPlugin(): Plugin {
  return {
    name: "lambda:brand-css",
    resolveId: (id) => (id === REQUEST ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? brandCss() : undefined),
  };
}
