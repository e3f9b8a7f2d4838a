import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BRANDS } from "@lambda/brands";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import type { CSSOptions, Plugin, Rolldown } from "vite";
import { bundle } from "./bundle.ts";

const LOCALES = ["en", "es"] as const;
/** The pages a visitor is likely to open first, by file name. Keep in sync with documents.ts in the worker. */
const PAGES = { home: "/", login: "/login", register: "/register" } as const;

/**
 * The application and the prerendered pages must name classes alike. Shorter than the default, because the scripts list the names; two
 * folders and the file name are the same on every machine.
 */
export const CLASS_NAMES: CSSOptions = {
  modules: {
    generateScopedName: (name, file) =>
      `${name}_${createHash("sha256").update(file.split("/").slice(-3).join("/")).digest("base64url").slice(0, 3)}`,
  },
};

type Prerender = typeof import("../src/prerender.tsx");
/** The HTML with its inline script and style and their hashes for the content security policy. The worker reads this (documents.ts). */
interface PrerenderedFile {
  readonly html: string;
  readonly script: { readonly text: string; readonly hash: string };
  readonly style: { readonly text: string; readonly hash: string };
}

/**
 * Builds what is painted before the application runs: a script that applies the device's theme, and the visitor's first pages in each
 * brand and language as `prerendered/<page>-<brand>-<locale>.json`. The worker inlines the script into every document and the page into
 * a visitor's document; the application then hydrates it. Applies to builds only.
 */
export function prerenderPlugin(): Plugin {
  let source = "";
  let file = "";
  return {
    name: "lambda:prerender",
    apply: "build",
    async buildStart() {
      source = (await bundle("src/first-paint.ts", "iife")).trim();
    },
    renderStart() {
      file = this.getFileName(this.emitFile({ type: "asset", name: "first-paint.js", source }));
    },
    transformIndexHtml: {
      order: "post",
      // A classic script, so that it blocks the first paint. It comes before the stylesheets, which would delay it.
      handler(html) {
        return html.replace("<script", `<script data-first-paint src="/${file}"></script>\n    <script`);
      },
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("the build has no index.html");
        const document = String(index.source);
        const script = { text: source, hash: cspHash(source) };
        // For documents without a prerendered page.
        this.emitFile({ type: "asset", fileName: "prerendered/first-paint.json", source: JSON.stringify(script) });
        for (const page of await renderPages()) {
          const style = collectStyles(page.path, document, bundle);
          const content: PrerenderedFile = { html: page.html, script, style: { text: style, hash: cspHash(style) } };
          this.emitFile({ type: "asset", fileName: `prerendered/${page.name}.json`, source: JSON.stringify(content) });
        }
      },
    },
  };
}

/** Loads the script as a module in development: it still runs before the application and sets the theme and the lock. */
export function firstPaintPlugin(): Plugin {
  return {
    name: "lambda:first-paint",
    apply: "serve",
    transformIndexHtml: (html) =>
      html.replace("<script", '<script type="module" src="/src/first-paint.ts"></script>\n    <script'),
  };
}

/** The stylesheets that a visitor's document links at this path, concatenated in document order. */
function collectStyles(path: string, document: string, bundle: Rolldown.OutputBundle): string {
  const sheets = [...document.matchAll(/<link [^>]*rel="stylesheet"[^>]*>/g)].filter(([tag]) => {
    const first = /data-first="([^"]*)"/.exec(tag)?.[1];
    return first === undefined || first === `visitor ${path}`;
  });
  const texts = sheets.map(([tag]) => {
    const name = /href="\/([^"]+)"/.exec(tag)?.[1] ?? "";
    const sheet = bundle[name];
    if (sheet?.type !== "asset") throw new Error(`no stylesheet ${name}`);
    return String(sheet.source).trim();
  });
  return texts.join("\n");
}

/** Hash source for an inline script or style in the content security policy. */
const cspHash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function renderPages(): Promise<{ name: string; path: string; html: string }[]> {
  const directory = await mkdtemp(join(tmpdir(), "prerender-"));
  try {
    const file = join(directory, "prerender.mjs");
    const code = await bundle("src/prerender.tsx", "es", {
      css: CLASS_NAMES,
      plugins: [react(), brandCssPlugin()],
      ssr: { noExternal: true },
      build: { target: "es2022", ssr: true },
    });
    await writeFile(file, code);
    const { renderPage } = (await import(pathToFileURL(file).href)) as Prerender;
    const pages: { name: string; path: string; html: string }[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      for (const brand of BRANDS) {
        for (const locale of LOCALES) {
          const html = await renderPage(path, { brand, locale });
          // The content security policy allows only the one style and one script whose hashes it lists.
          if (/\sstyle=|<script|<style/.test(html)) throw new Error(`${path} contains an inline style or script`);
          pages.push({ name: `${name}-${brand.id}-${locale}`, path, html });
        }
      }
    }
    return pages;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
