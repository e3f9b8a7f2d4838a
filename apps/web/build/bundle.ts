import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, mergeConfig, type Rolldown } from "vite";
import { OLD_BROWSERS } from "./browsers.ts";

const WEB = fileURLToPath(new URL("..", import.meta.url));

/** Bundles an entry and everything it imports into one file, which shares nothing with the application. */
export async function bundle(entry: string, format: "es" | "iife", config: InlineConfig = {}): Promise<string> {
  const shared: InlineConfig = {
    root: WEB,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: OLD_BROWSERS,
      modulePreload: false,
      rolldownOptions: { input: join(WEB, entry), output: { format, codeSplitting: false } },
    },
  };
  const result = (await build(mergeConfig(shared, config))) as Rolldown.RolldownOutput;
  return result.output[0].code;
}
