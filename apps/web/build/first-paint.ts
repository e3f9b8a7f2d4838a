import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BRANDS } from "@lambda/brands";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";

const LOCALES = ["en", "es"] as const;
const PRETENDED = ["document", "location", "navigator"] as const;
const WEB = fileURLToPath(new URL("..", import.meta.url));

type DrawHome = typeof import("../src/visitor-home.tsx")["drawVisitorHome"];

/**
 * What is painted before the application runs: a script that puts the document in the device's theme, and the visitor's home of
 * each brand and language as files `home/<brand>-<locale>.txt`, which the worker writes into a visitor's document. Builds only.
 */
export function firstPaintPlugin(): Plugin {
  let script = "";
  return {
    name: "lambda:first-paint",
    apply: "build",
    async generateBundle() {
      const source = await compile("src/first-paint.ts", "iife");
      script = this.getFileName(this.emitFile({ type: "asset", name: "first-paint.js", source }));
      for (const [name, html] of await drawHomes())
        this.emitFile({ type: "asset", fileName: `home/${name}.txt`, source: html });
    },
    transformIndexHtml: {
      order: "post",
      // No module: it runs where it stands, before the first paint; above the stylesheets, which it would else wait for.
      handler: (html) => html.replace("<script", `<script src="/${script}"></script>\n    <script`),
    },
  };
}

async function drawHomes(): Promise<[name: string, html: string][]> {
  const directory = await mkdtemp(join(tmpdir(), "visitor-home-"));
  const before = PRETENDED.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  try {
    const file = join(directory, "visitor-home.mjs");
    await writeFile(file, await compile("src/visitor-home.tsx", "es"));
    const homes: [string, string][] = [];
    for (const { id } of BRANDS) {
      for (const locale of LOCALES) {
        pretendBrowser(id, locale);
        // Brand and language are found when the modules begin, so each home has modules of its own.
        const { drawVisitorHome } = (await import(`${pathToFileURL(file)}?${id}-${locale}`)) as {
          drawVisitorHome: DrawHome;
        };
        const html = await drawVisitorHome();
        // The content security policy takes style attributes from scripts alone.
        if (/\sstyle=/.test(html)) throw new Error("the visitor's home carries a style attribute");
        homes.push([`${id}-${locale}`, html]);
      }
    }
    return homes;
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the application's modules look at while they begin and draw. */
function pretendBrowser(brand: string, locale: string): void {
  const globals: Record<(typeof PRETENDED)[number], unknown> = {
    document: { cookie: "", documentElement: { dataset: { brand }, lang: locale } },
    location: { host: "", href: "http://localhost/", pathname: "/", search: "", hash: "" },
    navigator: { languages: [locale], onLine: true },
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
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
