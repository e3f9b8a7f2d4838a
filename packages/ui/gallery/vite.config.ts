import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { brandCssPlugin } from "../vite-brand-css.ts";

/** Serves the gallery on its own, without the app. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), brandCssPlugin()],
  server: { port: 24871, strictPort: true, fs: { allow: ["../../.."] } },
});
