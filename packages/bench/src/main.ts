/** `npm run bench -- <name> ... [--members N]`: prints figures; without a name, the names. Never a test: tests assert behaviour and exact counts. */
import { parseArgs } from "node:util";

const BENCHES: Record<string, () => Promise<{ run(options: BenchOptions): Promise<void> }>> = {
  p1: () => import("./p1-nearest.ts"),
  p2: () => import("./p2-bounds.ts"),
  p3: () => import("./p3-routes.ts"),
  a1: () => import("./a1-interference.ts"),
  a3: () => import("./a3-residue.ts"),
  a2: () => import("./a2-attacks.ts"),
  a4: () => import("./a4-hiding.ts"),
  courts: () => import("./packed-juries.ts"),
  p4: () => import("./p4-plans.ts"),
  p5: () => import("./p5-side-by-side.ts"),
  p6: () => import("./p6-chat.ts"),
  p8: () => import("./map-frames.ts"),
  r1: () => import("./r1-chat.ts"),
  p7: () => import("./p7-weight.ts"),
  lighthouse: () => import("./p7-lighthouse.ts"),
  p9: () => import("./p9-throughput.ts"),
  r2: () => import("./r2-restore.ts"),
  r3: () => import("./r3-migration.ts"),
  "picture-votes": () => import("./picture-votes.ts"),
  s6: () => import("./s6-fuzz.ts"),
  s7: () => import("./s7-mutants.ts"),
};

export interface BenchOptions {
  /** Members in the database; each bench has its own default. */
  readonly members: number | undefined;
  readonly queries: number | undefined;
  readonly requests: number | undefined;
  /** Parts of names, with commas between: a2 runs these attacks alone. */
  readonly only: string | undefined;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    members: { type: "string" },
    queries: { type: "string" },
    requests: { type: "string" },
    only: { type: "string" },
  },
});
if (positionals.length === 0 || positionals[0] === "help") {
  console.log(`npm run bench -- <name> ... [--members N] [--queries N] [--requests N] [--only TEXT]`);
  console.log(`Names: ${Object.keys(BENCHES).join(", ")}`);
  process.exit(0);
}
for (const name of positionals) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
  console.log(`\n== ${name}`);
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { members, queries, requests, only } = values;
  await (await bench()).run({ members: number(members), queries: number(queries), requests: number(requests), only });
}
