import type { Plugin } from "vite";
import { bundle } from "./bundle.ts";

const ENTRY = "src/features/messaging/meets/friend/page.ts";
/** A fixed name without a hash, because the worker's page refers to it. */
const FILE = "meet/page.js";

/** Bundles the friend's page into one file that shares nothing with the application, so that neither slows the other down. */
export function friendPagePlugin(): Plugin {
  return {
    name: "lambda:friend-page",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: await compile() });
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, response, next) => {
        compile().then((code) => response.setHeader("content-type", "text/javascript").end(code), next);
      });
    },
  };
}

const compile = () =>
  bundle(ENTRY, "es", { build: { rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 3 } } } } });
