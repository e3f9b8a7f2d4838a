import { fileURLToPath } from "node:url";
import { cloudflare } from "@cloudflare/vite-plugin";
import { brandCssPlugin } from "@lambda/ui/vite-brand-css";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { firstPaintPlugin } from "./build/first-paint.ts";
import { fontPreloadPlugin } from "./build/font-preload.ts";
import { iconsPlugin } from "./build/icons.ts";
import { maplibrePlugin } from "./build/maplibre.ts";
import { screenPreloadPlugin } from "./build/screen-preload.ts";
import { versionPlugin } from "./build/version.ts";

/** Development runs the worker in Vite's process; a build is plain files that the worker serves from dist. */
export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    brandCssPlugin(),
    iconsPlugin(),
    versionPlugin(),
    firstPaintPlugin(),
    fontPreloadPlugin(),
    screenPreloadPlugin(),
    maplibrePlugin(),
    command === "serve" &&
      !process.env.VITEST &&
      cloudflare({ configPath: "../../wrangler.toml", persistState: { path: "../../.wrangler/state" } }),
  ],
  resolve: {
    alias: {
      "use-sync-external-store/shim/index.js": fileURLToPath(
        new URL("./src/device/external-store.ts", import.meta.url),
      ),
    },
  },
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
      // The list of what each screen needs weighs on the first load: only the screens that a visit begins with have it whole.
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === "html" || /(Home|Login|Register|Map|Tile|PersonalChat|ViewProfile)Screen/.test(file)
          ? dependencies
          : dependencies.filter((dependency) => dependency.endsWith(".css")),
    },
    rolldownOptions: {
      // Their modules do nothing by being imported; unasked, the bundler keeps sockets and subscriptions that nobody uses.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules[\\/](@trpc|@tanstack|wouter)[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // Changes with our dependencies only, so that a deploy costs a returning member little.
            {
              name: "vendor",
              test: /node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)[\\/]/,
            },
            // Not in a visitor's first screens, which make no calls.
            {
              name: "vendor-calls",
              test: /node_modules[\\/](@tanstack[\\/](react-query|query-core)|@trpc)[\\/]/,
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
              test: /packages[\\/]ui[\\/]src[\\/](badge|banner|button|checkbox|classes|field|icon|icon-button|link|text-field)\.|(format[\\/]i18n|routing[\\/](lazy-screen|load-once))|preload-helper|contract[\\/]src[\\/]limits/,
            },
          ],
        },
      },
    },
  },
}));
