/** `npm run bench -- <name> ... [--members N]`: runs benchmarks and prints figures; without a name it lists them. Tests assert behavior and exact counts instead. */
import { parseArgs } from "node:util";
import type { BenchOptions } from "./figures.ts";

/** Each bench, in a file of its name, and the code of the goal that it measures. */
const BENCHES: Record<string, string> = {
  nearest: "p1",
  "side-by-side": "p5",
  "chat-throughput": "p6",
  "bundle-weight": "p7",
  "page-load": "",
  "open-pages": "",
  memory: "",
  throughput: "p9",
  year: "p11",
  interference: "a1",
  attacks: "a2",
  hiding: "a4",
  disclosures: "a7",
  mutation: "s7",
  "ten-accounts": "s8",
  "free-accounts": "s9",
  breaks: "s10",
  "one-address": "s11",
  "packed-juries": "",
  "picture-votes": "",
  restore: "r2",
  migration: "r3",
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    members: { type: "string" },
    queries: { type: "string" },
    skip: { type: "string" },
    requests: { type: "string" },
    only: { type: "string" },
  },
});
if (positionals.length === 0 || positionals[0] === "help") {
  console.log(`npm run bench -- <name> ... [--members N] [--queries N] [--skip N] [--requests N] [--only TEXT]`);
  console.log(
    `Names and goals: ${Object.entries(BENCHES)
      .map(([name, code]) => `${name} ${code}`.trim())
      .join(", ")}`,
  );
  process.exit(0);
}
for (const wanted of positionals) {
  const [name, code] = Object.entries(BENCHES).find((each) => each.includes(wanted.toLowerCase())) ?? [];
  if (!name) throw new Error(`no bench ${wanted}; available: ${Object.keys(BENCHES).join(", ")}`);
  console.log(`\n== ${code ? `${code.toUpperCase()} ` : ""}${name}`);
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { members, queries, skip, requests, only } = values;
  const numbers = {
    members: number(members),
    queries: number(queries),
    skip: number(skip),
    requests: number(requests),
  };
  const bench = (await import(`./${name}.ts`)) as { run(options: BenchOptions): Promise<void> };
  await bench.run({ ...numbers, only });
}
