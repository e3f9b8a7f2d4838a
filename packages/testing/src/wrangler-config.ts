import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { BoundDatabase } from "./message-databases.ts";
import { ROOT } from "./site.ts";

interface Environment {
  readonly vars: Record<string, string>;
  readonly triggers: { readonly crons: readonly string[] };
  readonly assets: { readonly directory: string };
  /** The main database is first. */
  readonly d1_databases: readonly [BoundDatabase, ...BoundDatabase[]];
  readonly r2_buckets: readonly { readonly bucket_name: string; readonly jurisdiction?: string }[];
  readonly routes?: readonly { readonly pattern: string }[];
  readonly define?: Readonly<Record<string, string>>;
  readonly secrets?: { readonly required: readonly string[] };
  readonly queues: { readonly producers: readonly object[]; readonly consumers?: readonly object[] };
}

/** The parts of wrangler.toml that tools read. Its other parts are present but untyped. */
export interface WranglerConfig extends Environment {
  readonly name: string;
  readonly main: string;
  readonly env: { readonly production: Environment };
}

export function readWranglerConfig(root = ROOT): WranglerConfig {
  return parse(readFileSync(join(root, "wrangler.toml"), "utf8")) as unknown as WranglerConfig;
}
