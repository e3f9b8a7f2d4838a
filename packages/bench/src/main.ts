/** `npm run bench -- <name> ... [--members N]`: runs benchmarks and prints figures; without a name it lists them. Tests assert behavior and exact counts instead. */
import { parseArgs } from "node:util";
import type { BenchOptions } from "./options.ts";

const BENCHES: Record<string, () => Promise<{ run(options: BenchOptions): Promise<void> }>> = {
  nearest: () => import("./nearest.ts"),
  bounds: () => import("./bounds.ts"),
  "route-budgets": () => import("./route-budgets.ts"),
  "query-plans": () => import("./query-plans.ts"),
  "side-by-side": () => import("./side-by-side.ts"),
  "chat-throughput": () => import("./chat-throughput.ts"),
  "bundle-weight": () => import("./bundle-weight.ts"),
  "page-load": () => import("./page-load.ts"),
  throughput: () => import("./throughput.ts"),
  "far-from-home": () => import("./far-from-home.ts"),
  "chat-model": () => import("./chat-model.ts"),
  restore: () => import("./restore.ts"),
  migration: () => import("./migration.ts"),
  fuzz: () => import("./fuzz.ts"),
  mutation: () => import("./mutation.ts"),
  breaks: () => import("./breaks.ts"),
  "ten-accounts": () => import("./ten-accounts.ts"),
  interference: () => import("./interference.ts"),
  attacks: () => import("./attacks.ts"),
  residue: () => import("./residue.ts"),
  hiding: () => import("./hiding.ts"),
  "packed-juries": () => import("./packed-juries.ts"),
  "picture-votes": () => import("./picture-votes.ts"),
  year: () => import("./year.ts"),
  "free-accounts": () => import("./free-accounts.ts"),
};

/** Codes of the goals that the benches measure. */
const ALIASES: Record<string, string> = {
  p1: "nearest",
  p2: "bounds",
  p3: "route-budgets",
  p4: "query-plans",
  p5: "side-by-side",
  p6: "chat-throughput",
  p7: "bundle-weight",
  p9: "throughput",
  p10: "far-from-home",
  r1: "chat-model",
  r2: "restore",
  r3: "migration",
  s6: "fuzz",
  s7: "mutation",
  s8: "ten-accounts",
  s9: "free-accounts",
  s10: "breaks",
  a1: "interference",
  a2: "attacks",
  a3: "residue",
  a4: "hiding",
  courts: "packed-juries",
  lighthouse: "page-load",
  p11: "year",
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    members: { type: "string" },
    queries: { type: "string" },
    skip: { type: "string" },
    requests: { type: "string" },
    only: { type: "string" },
    databases: { type: "string" },
  },
});
if (positionals.length === 0 || positionals[0] === "help") {
  console.log(
    `npm run bench -- <name> ... [--members N] [--queries N] [--skip N] [--requests N] [--only TEXT] [--databases N]`,
  );
  console.log(`Names: ${Object.keys(BENCHES).join(", ")}`);
  console.log(
    `Goals: ${Object.entries(ALIASES)
      .map(([code, name]) => `${code} ${name}`)
      .join(", ")}`,
  );
  process.exit(0);
}
for (const name of positionals) {
  const full = ALIASES[name.toLowerCase()] ?? name;
  const bench = BENCHES[full];
  if (!bench) throw new Error(`no bench ${name}; available: ${Object.keys(BENCHES).join(", ")}`);
  const code = Object.keys(ALIASES).find((alias) => ALIASES[alias] === full);
  console.log(`\n== ${code && /\d/.test(code) ? `${code.toUpperCase()} ` : ""}${full}`);
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { members, queries, skip, requests, only, databases } = values;
  const numbers = {
    members: number(members),
    queries: number(queries),
    skip: number(skip),
    requests: number(requests),
    databases: number(databases),
  };
  await (await bench()).run({ ...numbers, only });
}
