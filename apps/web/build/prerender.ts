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

/**
 * What is painted before the application runs: a script that puts the document in the device's theme, and the visitor's first pages
 * of each brand and language as files `prerendered/<page>-<brand>-<locale>.txt`, which the worker writes into a visitor's document
 * and the application takes over. Builds only.
 */
export function prerenderPlugin(): Plugin {
  let script = "";
  return {
    name: "lambda:prerender",
    apply: "build",
    async generateBundle() {
      const source = await compile("src/first-paint.ts", "iife");
      script = this.getFileName(this.emitFile({ type: "asset", name: "first-paint.js", source }));
      for (const [name, html] of await drawPages())
        this.emitFile({ type: "asset", fileName: `prerendered/${name}.txt`, source: html });
    },
    transformIndexHtml: {
      order: "post",
      // No module: it runs where it stands, before the first paint; above the stylesheets, which it would else wait for.
      handler: (html) => html.replace("<script", `<script src="/${script}"></script>\n    <script`),
    },
  };
}

async function drawPages(): Promise<[name: string, html: string][]> {
  const directory = await mkdtemp(join(tmpdir(), "prerender-"));
  try {
    const file = join(directory, "prerender.mjs");
    await writeFile(file, await compile("src/prerender.tsx", "es"));
    const { drawPage } = (await import(pathToFileURL(file).href)) as Prerender;
    const pages: [string, string][] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      for (const brand of BRANDS) {
        for (const locale of LOCALES) {
          const html = await drawPage(path, { brand, locale });
          // The content security policy takes styles and scripts from files alone.
          if (/\sstyle=|<script|<style/.test(html)) throw new Error(`${path} carries a style or a script`);
          pages.push([`${name}-${brand.id}-${locale}`, html]);
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
