import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BRANDS } from "@lambda/brands";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";

const LOCALES = ["en", "es"] as const;
/** The pages that a visit begins with, by the names of their files; the worker knows them too (documents.ts). */
const PAGES = { home: "/", login: "/login", register: "/register" } as const;
const WEB = fileURLToPath(new URL("..", import.meta.url));

type Prerender = typeof import("../src/prerender.tsx");
/** Texts with their hashes for the content security policy; the worker reads the same (documents.ts). */
interface PrerenderedFile {
  readonly html: string;
  readonly script: { readonly text: string; readonly hash: string };
  readonly style: { readonly text: string; readonly hash: string };
}

/**
 * What is painted before the application runs: a script that puts the document in the device's theme, and the visitor's first pages
 * of each brand and language as files `prerendered/<page>-<brand>-<locale>.json`. The worker writes the script into every document, a page with its styles and the
 * script into a visitor's document, so that the document alone is enough to paint, and the application takes it over. Builds only.
 */
export function prerenderPlugin(): Plugin {
  let source = "";
  let file = "";
  return {
    name: "lambda:prerender",
    apply: "build",
    async buildStart() {
      source = (await compile("src/first-paint.ts", "iife")).trim();
    },
    renderStart() {
      file = this.getFileName(this.emitFile({ type: "asset", name: "first-paint.js", source }));
    },
    transformIndexHtml: {
      order: "post",
      // No module: it runs where it stands, before the first paint; above the stylesheets, which it would else wait for.
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
        const script = { text: source, hash: hashOf(source) };
        // For the documents without a page.
        this.emitFile({ type: "asset", fileName: "prerendered/first-paint.json", source: JSON.stringify(script) });
        for (const page of await drawPages()) {
          const style = stylesOf(page.path, document, bundle);
          const file: PrerenderedFile = { html: page.html, script, style: { text: style, hash: hashOf(style) } };
          this.emitFile({ type: "asset", fileName: `prerendered/${page.name}.json`, source: JSON.stringify(file) });
        }
      },
    },
  };
}

/** While one develops the script is a module: it still runs before the application, and the document knows its theme and its lock. */
export function firstPaintPlugin(): Plugin {
  return {
    name: "lambda:first-paint",
    apply: "serve",
    transformIndexHtml: (html) =>
      html.replace("<script", '<script type="module" src="/src/first-paint.ts"></script>\n    <script'),
  };
}

/** The stylesheets that a visitor's document names at this path, in its order. */
function stylesOf(path: string, document: string, bundle: Rolldown.OutputBundle): string {
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

/** As the content security policy names an inline script or style. */
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function drawPages(): Promise<{ name: string; path: string; html: string }[]> {
  const directory = await mkdtemp(join(tmpdir(), "prerender-"));
  try {
    const file = join(directory, "prerender.mjs");
    await writeFile(file, await compile("src/prerender.tsx", "es"));
    const { drawPage } = (await import(pathToFileURL(file).href)) as Prerender;
    const pages: { name: string; path: string; html: string }[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      for (const brand of BRANDS) {
        for (const locale of LOCALES) {
          const html = await drawPage(path, { brand, locale });
          // The content security policy allows the page's one style and one script, by their hashes.
          if (/\sstyle=|<script|<style/.test(html)) throw new Error(`${path} carries a style or a script`);
          pages.push({ name: `${name}-${brand.id}-${locale}`, path, html });
        }
      }
    }
    return pages;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** One file with all that it imports. */
async function compile(entry: string, format: "es" | "iife"): Promise<string> {
  const isServer = format === "es";
  const result = (await build({
    root: WEB,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: isServer ? [react(), brandCssPlugin()] : [],
    ssr: { noExternal: true },
    build: {
      write: false,
      target: "es2022",
      ssr: isServer,
      modulePreload: false,
      rolldownOptions: { input: join(WEB, entry), output: { format, codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return result.output[0].code;
}
