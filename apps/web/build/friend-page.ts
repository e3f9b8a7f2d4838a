import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { OLD_BROWSERS } from "./browsers.ts";

const WEB = fileURLToPath(new URL("..", import.meta.url));
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

async function compile(): Promise<string> {
  const result = (await build({
    root: WEB,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: OLD_BROWSERS,
      modulePreload: false,
      rolldownOptions: {
        input: join(WEB, ENTRY),
        optimization: { inlineConst: { mode: "all", pass: 3 } },
        output: { format: "es", codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return result.output[0].code;
}
