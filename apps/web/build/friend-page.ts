import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "src/features/meets/friend/page.ts";
/** The worker's page names it, as it names no other file of the build. */
const FILE = "meet/page.js";

/** One file of its own for the friend's page, which shares nothing with the application, so that neither weighs on the other. */
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
      target: "es2022",
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
