import { cloudflare } from "@cloudflare/vite-plugin";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { BROWSERS } from "./build/browsers.ts";
import { fontPreloadPlugin } from "./build/font-preload.ts";
import { friendPagePlugin } from "./build/friend-page.ts";
import { iconsPlugin } from "./build/icons.ts";
import { maplibrePlugin } from "./build/maplibre.ts";
import { CLASS_NAMES, firstPaintPlugin, prerenderPlugin } from "./build/prerender.ts";
import { screenPreloadPlugin } from "./build/screen-preload.ts";
import { versionPlugin } from "./build/version.ts";

/** In development the worker runs inside Vite; a build produces static files that the worker serves from dist. */
export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    brandCssPlugin(),
    iconsPlugin(),
    versionPlugin(),
    prerenderPlugin(),
    firstPaintPlugin(),
    fontPreloadPlugin(),
    screenPreloadPlugin(),
    maplibrePlugin(),
    friendPagePlugin(),
    command === "serve" &&
      !process.env.VITEST &&
      cloudflare({ configPath: "../../wrangler.toml", persistState: { path: "../../.wrangler/state" } }),
  ],
  css: CLASS_NAMES,
  // wouter bundles a polyfill for a hook that React has had since version 18.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  // Unit tests are next to the code; the browser tests in e2e have their own configuration.
  test: { include: ["src/**/*.test.{ts,tsx}"] },
  // Vite ignores the defines in wrangler.toml, and only development includes the worker.
  define: {
    ...(command === "serve" && { __DEVELOPMENT__: "true" }),
    // The operator's brands in a deployment's build (packages/brands/src/all.ts).
    __SITE_BRANDS__: process.env.SITE_BRANDS || "null",
  },
  server: { port: Number(process.env.PORT ?? 8787), strictPort: true, allowedHosts: true },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    sourcemap: false,
    target: BROWSERS,
    // The content security policy forbids data: URLs for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Listing each screen's scripts would enlarge the entry chunk. Its styles must be loaded before it renders.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === "html" ? dependencies : dependencies.filter((dependency) => dependency.endsWith(".css")),
    },
    rolldownOptions: {
      // tRPC does not declare its packages free of side effects; without this its WebSocket client would be bundled.
      treeshake: { moduleSideEffects: [{ test: /node_modules[\\/]@trpc[\\/]/, sideEffects: false }] },
      // Inlines the limits where they are used, so that no page loads those of every feature.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        // The entry lists about 150 file names, and hashes do not compress: seven characters are enough.
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        // The entry lists the style sheets: without names it is 300 bytes smaller.
        assetFileNames: ({ names }) => `assets/${names[0]?.endsWith(".css") ? "" : "[name]-"}[hash:7][extname]`,
        codeSplitting: {
          groups: [
            // Changes only with our dependencies, so returning members rarely download it again.
            {
              name: "vendor",
              // Excludes hydration, which only the persisted cache of members needs.
              test: /^(?!.*query-core.*hydration).*node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|zustand|@tanstack[\\/](react-query|query-core)|@trpc)[\\/]/,
            },
            // Shared by the map's page and its web worker.
            {
              name: "map-shared",
              test: /node_modules[\\/](maplibre-gl|@maplibre|@mapbox|bidi-js|earcut|gl-matrix|pbf|murmurhash-js|potpack|quickselect|tinyqueue)[\\/]/,
              minShareCount: 2,
            },
            // Used by nearly every screen. One file compresses far better than a dozen of half a kilobyte.
            {
              name: "base",
              test: /components[\\/](EmailField|use-ever)|contract[\\/]src[\\/]isolate|features[\\/]accounts[\\/](EntryPage|entry-page|accounts\.module|PendingLoginMail|continue-after-login)|packages[\\/]ui[\\/]src[\\/](badge|banner|button|checkbox|classes|field|icon|icon-button|link|radar|text-field|toast)\.|web[\\/]src[\\/](session|api[\\/](client|trpc|query-client|error-body|header-error|page-account|ended-session)|device[\\/]reporting|format[\\/](i18n|site)|routing[\\/](lazy-part|load-chunk|current-build|navigation))|preload-helper/,
            },
            // The visitor's forms need it, the visitor's first page does not.
            { name: "code-text", test: /api[\\/]code-text/ },
            // Used by most member screens ("member") and by the background services ("services"): two files instead of forty tiny ones.
            {
              name: "member",
              test: /contract[\\/]src[\\/]limits|packages[\\/]ui[\\/]src[\\/](avatar|chip|empty-state|figure|initial|list-row|member-icon-paths|picture|skeleton|tabs)\.|web[\\/]src[\\/](api[\\/](api-error|persisted-cache|picture-url)|components[\\/](QueryState|use-share-link)|device[\\/](device-keys|nsfw|member-store|sealer|databases)|format[\\/](distance|is-online|display-name|local-today|time|words)|features[\\/]profiles[\\/]search[\\/]found-pages|routing[\\/](optional-part|paths))\./,
            },
            // What says that a call of a member failed.
            {
              name: "errors",
              test: /api[\\/]error-text|components[\\/]QueryFailure|ui[\\/]src[\\/]error-state/,
            },
            // What sheets and forms are made of, which no first screen shows.
            {
              name: "forms",
              test: /packages[\\/]ui[\\/]src[\\/](segmented|select|sheet|switch)\.|components[\\/](ClosableSheet|PinField|use-debounced)/,
            },
            {
              name: "services",
              test: /web[\\/]src[\\/](shell[\\/]MemberServices|features[\\/](chat[\\/]live|position[\\/](gps|reporter))|api[\\/]socket)/,
            },
          ],
        },
      },
    },
  },
}));
