import type { Brand } from "@lambda/brands";
import type { Env } from "../../env.ts";

/** The page for a host that is no brand; it names none. */
export function unknownHostResponse(): Response {
  return new Response(
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>421</title><h1>Nothing here</h1><p>This address is not served here.</p></html>',
    { status: 421, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );
}

/** The application's page with the brand written in, so that the first paint has its name and colours. */
export async function documentResponse(request: Request, env: Env, brand: Brand): Promise<Response> {
  const asset = await env.ASSETS.fetch(request);
  if (!(asset.headers.get("content-type") ?? "").startsWith("text/html")) return asset;
  const headers = new Headers(asset.headers);
  headers.set("cache-control", "no-cache");
  headers.delete("etag");
  return new HTMLRewriter()
    .on("html", {
      element(html) {
        html.setAttribute("data-brand", brand.id);
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
    .transform(new Response(asset.body, { status: asset.status, headers }));
}

/** The web app manifest of one brand. Its short name is the brand's, since it stands under an icon on a home screen. */
export function manifestResponse(brand: Brand): Response {
  const icon = (size: number, purpose: "any" | "maskable") => ({
    src: `/icons/${brand.id}${purpose === "maskable" ? "-maskable" : ""}-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline.en,
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: brand.dark.surface,
    theme_color: brand.dark.surface,
    icons: [icon(192, "any"), icon(512, "any"), icon(192, "maskable"), icon(512, "maskable")],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" },
  });
}
