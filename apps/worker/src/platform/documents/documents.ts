import type { Brand } from "@lambda/brands";
import { DISGUISE_IDS, DISGUISES, disguiseManifestPath } from "@lambda/contract/disguises";
import { fitsPage, PAGE_PATHS } from "@lambda/contract/page-paths";
import type { Env } from "../env.ts";
import { LOGGED_IN_COOKIE, readCookie } from "../http/cookies.ts";

const LOCALES = ["en", "es"];
/** What the build drew for visitors (apps/web/build/prerender.ts). */
const PRERENDERED: Readonly<Record<string, string>> = { "/": "home", "/login": "login", "/register": "register" };

/** Text that stands in the document itself, and its hash as the content security policy takes it. */
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

/** A visitor's page of a brand as the build drew it, in the first language of the browser that there is; undefined in development. */
async function findPrerendered(request: Request, env: Env, brand: Brand): Promise<Prerendered | undefined> {
  const { pathname: path, search } = new URL(request.url);
  const page = PRERENDERED[path];
  if (!page || search !== "" || readCookie(request, LOGGED_IN_COOKIE)) return undefined;
  const wanted = (request.headers.get("accept-language") ?? "")
    .split(",")
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  const locale = wanted.find((code) => LOCALES.includes(code)) ?? "en";
  const file = await env.ASSETS.fetch(new URL(`/prerendered/${page}-${brand.id}-${locale}.json`, request.url));
  if (!file.ok) {
    await file.body?.cancel();
    return undefined;
  }
  const drawn = await file.json<Pick<Prerendered, "html" | "script" | "style">>();
  return { path, locale, ...drawn };
}

/** The script that runs before the first paint; undefined in development. */
async function findFirstPaint(request: Request, env: Env): Promise<Inline | undefined> {
  const file = await env.ASSETS.fetch(new URL("/prerendered/first-paint.json", request.url));
  if (file.ok) return file.json<Inline>();
  await file.body?.cancel();
  return undefined;
}

/**
 * A file of the build and nothing else. Were one that is gone, as after a deploy, answered by the application's page, browsers would
 * keep that page under the file's name.
 */
export async function fileResponse(request: Request, env: Env): Promise<Response> {
  const file = await env.ASSETS.fetch(request);
  if (file.status !== 404) return file;
  await file.body?.cancel();
  return new Response("Not found.", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** What stands at a path: a file, else the application's page, which says that there is none where the address has no page. */
async function findFile(request: Request, env: Env): Promise<{ asset: Response; status: number }> {
  const file = await env.ASSETS.fetch(request);
  if (file.status !== 404) return { asset: file, status: file.status };
  await file.body?.cancel();
  const asset = await env.ASSETS.fetch(new URL("/", request.url));
  const { pathname } = new URL(request.url);
  return { asset, status: PAGE_PATHS.some((pattern) => fitsPage(pattern, pathname)) ? asset.status : 404 };
}

/**
 * The application's page with the brand written in, so that the first paint has its name and colours. A visitor's first page
 * brings its styles along and needs nothing else to be painted; `allowInline` hears what the security policy has to let through.
 */
export async function documentResponse(
  request: Request,
  env: Env,
  brand: Brand,
  allowInline: (hashes: { script: string; style: string }) => void,
): Promise<Response> {
  const { asset, status } = await findFile(request, env);
  if (!(asset.headers.get("content-type") ?? "").startsWith("text/html")) return asset;
  const headers = new Headers(asset.headers);
  headers.set("cache-control", "private, no-cache");
  headers.set("vary", "accept-language, cookie");
  headers.delete("etag");
  // The page names the files of each screen that a visit may begin with.
  const viewer = readCookie(request, LOGGED_IN_COOKIE) ? "member" : "visitor";
  const first = [viewer, `${viewer} ${new URL(request.url).pathname}`];
  const page = await findPrerendered(request, env, brand);
  // Whatever else has to load: the document itself knows its theme, its disguise and the way out.
  const script = page?.script ?? (await findFirstPaint(request, env));
  allowInline({ script: script?.hash ?? "", style: page?.style.hash ?? "" });
  const rewriter = new HTMLRewriter()
    .on("html", {
      element(html) {
        html.setAttribute("data-brand", brand.id);
        if (page) html.setAttribute("lang", page.locale).setAttribute("data-prerendered", page.path);
      },
    })
    .on("#app", {
      element(app) {
        if (page) app.setInnerContent(page.html, { html: true });
      },
    })
    .on("title", {
      element(title) {
        title.setInnerContent(brand.name);
      },
    })
    .on('meta[name="description"]', {
      element(meta) {
        meta.setAttribute("content", brand.tagline.en);
      },
    })
    .on('meta[name="theme-color"]', {
      element(meta) {
        meta.setAttribute("content", brand.dark.surface);
      },
    })
    .on('meta[name="apple-mobile-web-app-title"]', {
      element(meta) {
        meta.setAttribute("content", brand.name);
      },
    })
    .on('link[rel="apple-touch-icon"], link[rel="icon"]', {
      element(link) {
        link.setAttribute("href", `/icons/${brand.id}-192.png`);
      },
    })
    .on("link[data-first]", {
      element(link) {
        if (!first.includes(link.getAttribute("data-first") ?? "")) link.remove();
        else link.removeAttribute("data-first");
      },
    })
    .on("link[data-display]", {
      element(link) {
        if (link.getAttribute("data-display") !== brand.display) link.remove();
        else link.removeAttribute("data-display");
      },
    });
  if (script) {
    const style = page ? `<style>${page.style.text}</style>` : "";
    rewriter.on("script[data-first-paint]", {
      element(element) {
        element.replace(`<script>${script.text}</script>${style}`, { html: true });
      },
    });
  }
  if (page) holdStylesBack(rewriter);
  return rewriter.transform(new Response(asset.body, { status, headers }));
}

/**
 * The stylesheets of a document that brings its styles along come without holding up the paint, and apply when the application says so
 * (main.tsx); its scripts wait behind whatever the paint needs.
 */
function holdStylesBack(rewriter: HTMLRewriter): void {
  rewriter
    .on('link[rel="stylesheet"]', {
      element(link) {
        link.setAttribute("media", "not all");
      },
    })
    .on('script[type="module"], link[rel="modulepreload"]', {
      element(element) {
        element.setAttribute("fetchpriority", "low");
      },
    });
}

/** The web app manifest of one brand. Its short name is the brand's, since it stands under an icon on a home screen. */
export function manifestResponse(brand: Brand): Response {
  const { surface } = brand.dark;
  return asManifest({ id: "/", icon: brand.id, name: brand.name, description: brand.tagline.en, surface });
}

/** The manifest of a disguise, by the name of its file: an app of its own for a phone, with nothing of the brand. Undefined for no such file. */
export function disguiseManifestResponse(path: string): Response | undefined {
  for (const id of DISGUISE_IDS) {
    const locale = (["en", "es"] as const).find((candidate) => disguiseManifestPath(id, candidate) === path);
    if (!locale) continue;
    const { name, background } = DISGUISES[id];
    return asManifest({ id: `/?${id}`, icon: id, name: name[locale], surface: background });
  }
  return undefined;
}

interface ManifestOf {
  readonly id: string;
  readonly icon: string;
  readonly name: string;
  readonly description?: string;
  readonly surface: string;
}

function asManifest({ id, icon, name, description, surface }: ManifestOf): Response {
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
