import type { Brand } from "@lambda/brands";
import { DISGUISE_IDS, DISGUISES, disguiseManifestPath } from "@lambda/contract/disguises";
import { matchesPagePath, PAGES } from "@lambda/contract/pages";
import type { Env } from "../env.ts";
import { LOGGED_IN_COOKIE, readCookie } from "../http/cookies.ts";
import { localeOf } from "../http/locale.ts";
import { restoredTo } from "../maintenance.ts";
import type { AllowInline } from "./plain-page.ts";

/** Paths that the build prerendered for visitors (apps/web/build/prerender.ts). */
const PRERENDERED: Readonly<Record<string, string>> = { "/": "home", "/login": "login", "/register": "register" };

/** Inline text of the document and its hash for the content security policy. */
interface Inline {
  readonly text: string;
  readonly hash: string;
}

interface Prerendered {
  readonly path: string;
  readonly locale: string;
  readonly html: string;
  readonly script: Inline;
  readonly style: Inline;
}

/** The prerendered page for a visitor, in the browser's first supported language; undefined in development. */
async function findPrerendered(request: Request, env: Env, brand: Brand): Promise<Prerendered | undefined> {
  const { pathname: path, search } = new URL(request.url);
  const page = PRERENDERED[path];
  if (!page || search !== "" || readCookie(request, LOGGED_IN_COOKIE)) return undefined;
  const locale = localeOf(request);
  const file = await env.ASSETS.fetch(new URL(`/prerendered/${page}-${brand.id}-${locale}.json`, request.url));
  if (!file.ok) {
    await file.body?.cancel();
    return undefined;
  }
  const prerendered = await file.json<Pick<Prerendered, "html" | "script" | "style">>();
  return { path, locale, ...prerendered };
}

/** The script that runs before the first paint; undefined in development. */
async function findFirstPaint(request: Request, env: Env): Promise<Inline | undefined> {
  const file = await env.ASSETS.fetch(new URL("/prerendered/first-paint.json", request.url));
  if (file.ok) return file.json<Inline>();
  await file.body?.cancel();
  return undefined;
}

/**
 * A file that this version lacks: during a deployment, and some seconds after it, the page and its files come from different versions. Each
 * deployment keeps the files of its build in the bucket before its version gets a request (packages/tooling/src/deploy/keep-files.ts).
 */
async function findFileOfAnotherBuild({ url }: Request, env: Env): Promise<Response | undefined> {
  const { pathname } = new URL(url);
  if (!BUILT_FILE.test(pathname)) return undefined;
  const object = await env.TILES.get(pathname.slice(1));
  if (!object) return undefined;
  // As apps/web/public/_headers says of the version's own files.
  const headers = new Headers({ "cache-control": "public, max-age=31536000, immutable" });
  object.writeHttpMetadata(headers);
  return new Response(object.body, { headers });
}

/** Its name changes with its content. */
const BUILT_FILE = /^\/assets\/[\w.-]+$/;

/**
 * A file of the build, or 404. Serving the application's page for a file of an earlier build would make browsers cache that page under
 * the file's name.
 */
export async function fileResponse(request: Request, env: Env): Promise<Response> {
  const file = await env.ASSETS.fetch(request);
  if (file.status !== 404) return file;
  await file.body?.cancel();
  const other = await findFileOfAnotherBuild(request, env);
  if (other) return other;
  return new Response("Not found.", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** The file at a path, or else the application's page, with status 404 for paths without a page. */
async function findFile(request: Request, env: Env): Promise<{ asset: Response; status: number }> {
  const file = await env.ASSETS.fetch(request);
  if (file.status !== 404) return { asset: file, status: file.status };
  await file.body?.cancel();
  const asset = await env.ASSETS.fetch(new URL("/", request.url));
  const { pathname } = new URL(request.url);
  return { asset, status: PAGES.some(({ path }) => matchesPagePath(path, pathname)) ? asset.status : 404 };
}

/**
 * The application's page with the brand filled in, so that the first paint has its name and colors. Prerendered pages contain their
 * styles and paint without further files; `allowInline` receives the hashes that the content security policy must allow.
 */
export async function documentResponse(
  request: Request,
  env: Env,
  brand: Brand,
  allowInline: AllowInline,
): Promise<Response> {
  const { asset, status } = await findFile(request, env);
  if (!(asset.headers.get("content-type") ?? "").startsWith("text/html")) return asset;
  const headers = new Headers(asset.headers);
  headers.set("cache-control", "private, no-cache");
  headers.set("vary", "accept-language, cookie");
  headers.delete("etag");
  // The document preloads different files depending on the visitor and the path.
  const viewer = readCookie(request, LOGGED_IN_COOKIE) ? "member" : "visitor";
  const preloads = [viewer, `${viewer} ${new URL(request.url).pathname}`];
  const page = await findPrerendered(request, env, brand);
  // This inline script applies the theme, the disguise and the quick exit before anything else loads.
  const script = page?.script ?? (await findFirstPaint(request, env));
  allowInline({ script: script?.hash ?? "", style: page?.style.hash ?? "" });
  const rewriter = new HTMLRewriter();
  applyBrand(rewriter, brand);
  if (env.CLOSING_ON) setAttribute(rewriter, "html", "data-closing", env.CLOSING_ON);
  const restored = await restoredTo(env);
  if (restored) setAttribute(rewriter, "html", "data-restored", restored);
  keepMatchingLinks(rewriter, "data-first", preloads);
  keepMatchingLinks(rewriter, "data-display", [brand.display]);
  if (page) insertPrerendered(rewriter, page);
  if (script) insertInline(rewriter, script, page?.style);
  return rewriter.transform(new Response(asset.body, { status, headers }));
}

function applyBrand(rewriter: HTMLRewriter, brand: Brand): void {
  setAttribute(rewriter, "html", "data-brand", brand.id);
  setAttribute(rewriter, 'meta[name="description"]', "content", brand.tagline.en);
  setAttribute(rewriter, 'meta[name="theme-color"]', "content", brand.dark.surface);
  setAttribute(rewriter, 'meta[name="apple-mobile-web-app-title"]', "content", brand.name);
  setAttribute(rewriter, 'link[rel="apple-touch-icon"], link[rel="icon"]', "href", `/icons/${brand.id}-192.png`);
  rewriter.on("title", {
    element(title) {
      title.setInnerContent(brand.name);
    },
  });
}

function setAttribute(rewriter: HTMLRewriter, selector: string, name: string, value: string): void {
  rewriter.on(selector, {
    element(element) {
      element.setAttribute(name, value);
    },
  });
}

/** Removes the links whose attribute has none of these values. */
function keepMatchingLinks(rewriter: HTMLRewriter, attribute: string, values: readonly string[]): void {
  rewriter.on(`link[${attribute}]`, {
    element(link) {
      if (values.includes(link.getAttribute(attribute) ?? "")) link.removeAttribute(attribute);
      else link.remove();
    },
  });
}

/**
 * Inserts the page, and keeps the stylesheets from blocking its first paint; the application applies them later (main.tsx). Scripts load with
 * low priority.
 */
function insertPrerendered(rewriter: HTMLRewriter, page: Prerendered): void {
  setAttribute(rewriter, "html", "lang", page.locale);
  setAttribute(rewriter, "html", "data-prerendered", page.path);
  setAttribute(rewriter, 'link[rel="stylesheet"]', "media", "not all");
  setAttribute(rewriter, 'script[type="module"], link[rel="modulepreload"]', "fetchpriority", "low");
  rewriter.on("#app", {
    element(app) {
      app.setInnerContent(page.html, { html: true });
    },
  });
}

function insertInline(rewriter: HTMLRewriter, script: Inline, style: Inline | undefined): void {
  const styleTag = style ? `<style>${style.text}</style>` : "";
  rewriter.on("script[data-first-paint]", {
    element(element) {
      element.replace(`<script>${script.text}</script>${styleTag}`, { html: true });
    },
  });
}

export function manifestResponse(brand: Brand): Response {
  const { surface } = brand.dark;
  return manifestFile({ id: "/", icon: brand.id, name: brand.name, description: brand.tagline.en, surface });
}

/** The manifest of a disguise by its path: to a phone a separate app, with nothing of the brand. Undefined for unknown paths. */
export function disguiseManifestResponse(path: string): Response | undefined {
  for (const id of DISGUISE_IDS) {
    const locale = (["en", "es"] as const).find((candidate) => disguiseManifestPath(id, candidate) === path);
    if (!locale) continue;
    const { name, background } = DISGUISES[id];
    return manifestFile({ id: `/?${id}`, icon: id, name: name[locale], surface: background });
  }
  return undefined;
}

type Manifest = Readonly<Record<"id" | "icon" | "name" | "surface", string>> & { readonly description?: string };

function manifestFile({ id, icon, name, description, surface }: Manifest): Response {
  const image = (size: number, purpose: "any" | "maskable") => ({
    src: `/icons/${icon}${purpose === "maskable" ? "-maskable" : ""}-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    name,
    short_name: name,
    description,
    id,
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: surface,
    theme_color: surface,
    icons: [image(192, "any"), image(512, "any"), image(192, "maskable"), image(512, "maskable")],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" },
  });
}
