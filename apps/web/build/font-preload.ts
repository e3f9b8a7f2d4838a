import { BRANDS } from "@lambda/brands";
import type { HtmlTagDescriptor, Plugin } from "vite";

/**
 * Preloads the text font and the brand's display font, which every screen uses, instead of waiting until a stylesheet asks for them.
 * The page lists the display fonts of all brands; the worker removes those of other brands by `data-display`.
 */
export function fontPreloadPlugin(): Plugin {
  return {
    name: "lambda:font-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        if (!bundle) return [];
        const preload = (font: string): HtmlTagDescriptor => {
          const file = Object.keys(bundle).find(
            (name) =>
              /^[a-z-]+-latin-wght-normal.*\.woff2$/.test(name.replace("assets/", "")) && name.includes(`/${font}`),
          );
          if (!file) throw new Error(`no file for the font ${font}`);
          return {
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
            injectTo: "head",
          };
        };
        const displays = [...new Set(BRANDS.map(({ display }) => display))].map((display) => {
          const tag = preload(display);
          return { ...tag, attrs: { ...tag.attrs, "data-display": display } };
        });
        return [preload("figtree"), ...displays];
      },
    },
  };
}
