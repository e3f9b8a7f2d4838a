import type { HtmlTagDescriptor, Plugin } from "vite";

/** The text face is on every screen: asks for it with the document and not only when a stylesheet has been read. */
export function fontPreloadPlugin(): Plugin {
  return {
    name: "lambda:font-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        return Object.keys(bundle ?? {})
          .filter((file) => /figtree-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
            injectTo: "head",
          }));
      },
    },
  };
}
