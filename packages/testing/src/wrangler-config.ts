import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { ROOT } from "./site.ts";

interface Environment {
  readonly vars: Record<string, string>;
  readonly triggers: { readonly crons: readonly string[] };
  readonly assets: { readonly directory: string };
  readonly queues: { readonly producers: readonly object[]; readonly consumers?: readonly object[] };
}

/** The parts of wrangler.toml that tools read; the rest is kept as it stands. */
export interface WranglerConfig extends Environment {
  readonly main: string;
  readonly env: { readonly production: Environment };
}

export function readWranglerConfig(): WranglerConfig {
  return parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as unknown as WranglerConfig;
}
