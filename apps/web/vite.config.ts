import { cloudflare } from "@cloudflare/vite-plugin";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { fontPreloadPlugin } from "./build/font-preload.ts";
import { friendPagePlugin } from "./build/friend-page.ts";
import { iconsPlugin } from "./build/icons.ts";
import { maplibrePlugin } from "./build/maplibre.ts";
import { firstPaintPlugin, prerenderPlugin } from "./build/prerender.ts";
import { screenPreloadPlugin } from "./build/screen-preload.ts";
import { versionPlugin } from "./build/version.ts";

/** Development runs the worker in Vite's process; a build is plain files that the worker serves from dist. */
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
  // The router brings a stand-in for a hook that React has had since version 18.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  // Unit tests lie beside what they test; the browser tests of e2e have a configuration of their own.
  test: { include: ["src/**/*.test.{ts,tsx}"] },
  // Vite does not read the definitions of wrangler.toml; a build has no worker in it.
  define: command === "serve" ? { __DEVELOPMENT__: "true" } : {},
  server: { port: Number(process.env.PORT ?? 8787), strictPort: true, allowedHosts: true },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    sourcemap: false,
    target: "es2022",
    // The content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The list of the scripts that each screen needs weighs on the first load; its styles must be there when it is drawn.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === "html" ? dependencies : dependencies.filter((dependency) => dependency.endsWith(".css")),
    },
    rolldownOptions: {
      // tRPC's packages do not say so, but importing them does nothing by itself; its socket client would come along unasked.
      treeshake: { moduleSideEffects: [{ test: /node_modules[\\/]@trpc[\\/]/, sideEffects: false }] },
      // Limits are written where they are used, so that no page carries those of all features.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        // The entry names some 150 files, and their hashes do not compress: seven characters of them are enough.
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          groups: [
            // Changes with our dependencies only, so that a deploy costs a returning member little.
            {
              name: "vendor",
              // Without what only the persisted cache of members needs.
              test: /^(?!.*query-core.*hydration).*node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|zustand|@tanstack[\\/](react-query|query-core)|@trpc)[\\/]/,
            },
            // What the map's page and its worker both read.
            {
              name: "map-shared",
              test: /node_modules[\\/](maplibre-gl|@maplibre|@mapbox|bidi-js|earcut|gl-matrix|pbf|murmurhash-js|potpack|quickselect|tinyqueue)[\\/]/,
              minShareCount: 2,
            },
            // What nearly every screen uses: one file compresses far better than a dozen of half a kilobyte.
            {
              name: "base",
              test: /components[\\/](Email|Password)Field|features[\\/]accounts[\\/](EntryPage|entry-page|accounts\.module|MailWait|open-wanted-page)|packages[\\/]ui[\\/]src[\\/](badge|banner|button|checkbox|classes|field|icon|icon-button|link|radar|text-field|toast)\.|web[\\/]src[\\/](session|shell[\\/]keep-focus|api[\\/](client|trpc|query-client|error-body|header-error)|X|format[\\/](i18n|site)|routing[\\/](lazy-screen|load-chunk|current-build|navigation))|preload-helper|contract[\\/]src[\\/]limits/,
            },
            // Visitors' forms need it, and the visitor's first page does not.
            { name: "code-text", test: /api[\\/]code-text/ },
            // What most screens of members use, and what works behind all of them: two files instead of forty that hold a line or two each.
            {
              name: "member",
              test: /packages[\\/]ui[\\/]src[\\/](avatar|chip|empty-state|error-state|figure|list-row|picture|segmented|select|sheet|skeleton|switch|tabs)\.|web[\\/]src[\\/](api[\\/](error-text|message-calls|persisted-cache|picture-url)|device[\\/](device-keys|nsfw)|format[\\/](distance|is-online|shown-name))\./,
            },
            {
              name: "services",
              test: /web[\\/]src[\\/](shell[\\/]MemberServices|features[\\/](chat[\\/]live|position[\\/](gps|reporter)|travel[\\/](StayWatch|country-name))|api[\\/]socket)/,
            },
          ],
        },
      },
    },
  },
}));
