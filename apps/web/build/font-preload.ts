import { BRANDS } from "@lambda/brands";
import type { HtmlTagDescriptor, Plugin } from "vite";

/**
 * The text face and the brand's display face are on every screen: asks for them with the document and not only when a stylesheet
 * has been read and a text wants them. The page names each brand's, and the worker takes out those of the others by `data-display`.
 */
export function fontPreloadPlugin(): Plugin {
  return {
    name: "lambda:font-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        if (!bundle) return [];
        const preload = (face: string): HtmlTagDescriptor => {
          const file = Object.keys(bundle).find(
            (name) =>
              /^[a-z-]+-latin-wght-normal.*\.woff2$/.test(name.replace("assets/", "")) && name.includes(`/${face}`),
          );
          if (!file) throw new Error(`no file of the face ${face}`);
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
