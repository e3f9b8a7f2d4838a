import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FriendPageFiles } from "@lambda/contract/friend-page";
import type { Plugin } from "vite";
import { bundle } from "./bundle.ts";

const ENTRY = "src/features/messaging/meets/friend/page.ts";
const STYLE = fileURLToPath(new URL("../src/features/messaging/meets/friend/page.css", import.meta.url));
/** Pages of builds before files had hashes refer to these, and so does development. */
const [SCRIPT_FILE, STYLE_FILE] = ["meet/page.js", "meet/page.css"];
const FILES = "meet/files.json";

/**
 * Bundles the friend's page into one script and one style sheet that share nothing with the application, so that neither slows the other
 * down. Their names have hashes, and the worker's page reads them in `meet/files.json`: a page never runs the script of another build.
 */
export function friendPagePlugin(): Plugin {
  return {
    name: "lambda:friend-page",
    async generateBundle() {
      const [script, style] = [await compile(), readFileSync(STYLE, "utf8")];
      const emit = (file: { readonly name?: string; readonly fileName?: string }, source: string) =>
        this.emitFile({ type: "asset", source, ...file });
      emit({ fileName: SCRIPT_FILE }, script);
      emit({ fileName: STYLE_FILE }, style);
      const path = (reference: string) => `/${this.getFileName(reference)}`;
      const files: FriendPageFiles = {
        script: path(emit({ name: "friend.js" }, script)),
        style: path(emit({ name: "friend.css" }, style)),
      };
      emit({ fileName: FILES }, JSON.stringify(files));
    },
    configureServer(server) {
      server.middlewares.use(`/${SCRIPT_FILE}`, (_request, response, next) => {
        compile().then((code) => response.setHeader("content-type", "text/javascript").end(code), next);
      });
      server.middlewares.use(`/${STYLE_FILE}`, (_request, response) => {
        response.setHeader("content-type", "text/css").end(readFileSync(STYLE, "utf8"));
      });
    },
  };
}

const compile = () =>
  bundle(ENTRY, "es", { build: { rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 3 } } } } });
