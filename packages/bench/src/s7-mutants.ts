/**
 * S7: takes each guard of the worker away in turn (the ladder, the origin check, visibility, whose row it is, caps) in a copy of
 * the repository, and looks whether a test fails. `--queries n` takes n of them, spread evenly. Prints the survivors.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goal, line } from "./figures.ts";
import type { BenchOptions } from "./main.ts";
import { copyRepository } from "./repository-copy.ts";

const GOAL_SURVIVED = 0.05;
const WORKER = "apps/worker";

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly before: string;
  readonly source: string;
}

interface Pattern {
  readonly kind: string;
  readonly find: RegExp;
  readonly put: (found: RegExpExecArray) => string;
}

const OWNER = "(?:profile_id|account_id|owner_id|author_id|liker_id|member_id|reporter_id|recipient_id|voter_id)";
const ME = "(?:[\\w.]*viewer\\.profileId|me|profileId|readerId|authorId|ownerId)";
const RULE = "(?:visibleTo|tellable|albumPictureOpenTo|brandInScope|unblocked|grantedTo|visibleInPresence)";
const ARGUMENTS = "\\((?:[^()]|\\([^()]*\\))*\\)";
const REFUSAL = "NOT_ALLOWED|NOT_FOUND|NOT_LOGGED_IN|SUSPENDED|HIDING|FOREIGN_ORIGIN|LOGIN_FAILED|LINK_EXPIRED";

const PATTERNS: readonly Pattern[] = [
  { kind: "rule in SQL", find: new RegExp(`\\$\\{${RULE}${ARGUMENTS}\\}`, "g"), put: () => "1 = 1" },
  { kind: "rule in a query", find: new RegExp(`\\.where\\(${RULE}${ARGUMENTS}\\)`, "g"), put: () => "" },
  {
    kind: "owner in SQL",
    find: new RegExp(`(?<=(?:where|and|on|WHERE|AND)\\s+)[\\w.]*${OWNER} = \\$\\{${ME}\\}`, "g"),
    put: () => "1 = 1",
  },
  { kind: "owner in a query", find: new RegExp(`\\.where\\("[\\w.]*${OWNER}", "=", ${ME}\\)`, "g"), put: () => "" },
  {
    kind: "refusal",
    // Only where the condition looks at who asks: "no such row" is a fact, not a guard.
    find: new RegExp(
      `if \\((?=[^{;]*(?:viewer|Id !==|Id ===|\\bme\\b|may|visible|hidden|brand|expires|matches|Allowed|own|origin|can\\())[^{;]*?\\)(?=\\s*\\{?\\s*throw new AppError\\("(?:${REFUSAL})")`,
      "g",
    ),
    put: () => "if (false)",
  },
  { kind: "cap", find: /await limit\([^;]*\);/g, put: () => "" },
  { kind: "ladder", find: /\.use\(require\w+\)/g, put: () => "" },
  { kind: "origin", find: /requireSameOrigin\(c\.req\.raw\);/g, put: () => "" },
  { kind: "for admins", find: /(?<=: )adminProcedure/g, put: () => "memberProcedure" },
  { kind: "for active members", find: /(?<=: )memberProcedure/g, put: () => "standingProcedure" },
  { kind: "session", find: /row\.(?:ts_expires <= now|brand !== brand\.id|ts_deleted !== null) \|\| /g, put: () => "" },
  { kind: "listener", find: /me\.listed_on & \(o\.value ->> 1\) <> 0 and/g, put: () => "" },
  { kind: "listener", find: /coalesce\(p\.listed_on, 0\) & \(o\.value ->> 1\) <> 0/g, put: () => "1 = 1" },
  { kind: "listener", find: /and not exists \(select 1 from block b[^)]*\)/g, put: () => "" },
  { kind: "listener", find: /if \(!state\?\.maySee\) continue;/g, put: () => "" },
  { kind: "listener", find: /state\.maySee && /g, put: () => "" },
];

/** Tests that may see the loss of a guard in this file, the quickest first; those across features only where they name its calls. */
function roundsFor(root: string, file: string): string[][] {
  const feature = /features\/([\w-]+)/.exec(file)?.[1];
  const across = ["src/authorization.test.ts", "src/security.test.ts"];
  const fields = ["src/features/visibility/fields.test.ts"];
  if (feature === undefined) return [across, ["src/features/visibility"], ["src/rest"]];
  const own = globSync(`${WORKER}/src/features/${feature}/*.test.ts`, { cwd: root }).length > 0;
  const calls = feature.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    ...(own ? [[`src/features/${feature}`]] : []),
    ["src/authorization.test.ts", "-t", `${calls}\\.|plain`],
    ["src/features/visibility/ids.test.ts", "-t", `${calls}\\.`],
    across,
    fields,
  ];
}

function findMutants(root: string): Mutant[] {
  const files = globSync(`${WORKER}/src/**/*.ts`, { cwd: root }).filter(
    (file) =>
      !/\.test\.ts$|visibility\/(adversary-world|id-rules|onlooker|secrets|allowed-fields)|development\//.test(file),
  );
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return PATTERNS.flatMap(({ kind, find, put }) =>
      [...text.matchAll(find)].map((found) => ({
        file,
        kind,
        line: text.slice(0, found.index).split("\n").length,
        before: found[0].replace(/\s+/g, " ").slice(0, 100),
        source: text.slice(0, found.index) + put(found) + text.slice(found.index + found[0].length),
      })),
    );
  });
}

/** Every procedure of one router has the same test: one of each router stands for them. */
function withoutTwins(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Set<string>();
  return mutants.filter(({ file, kind }) => {
    if (kind !== "for active members" && kind !== "for admins") return true;
    const name = `${file} ${kind}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function passes(root: string, tests: readonly string[]): boolean {
  const { status } = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", "--bail", "1", ...tests], {
    cwd: join(root, WORKER),
    stdio: "ignore",
    timeout: 600_000,
  });
  return status === 0;
}

export async function run({ queries }: BenchOptions): Promise<void> {
  const copy = copyRepository();
  try {
    const page = join(copy.root, "apps/web/dist/index.html");
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, "<!doctype html><html><head><title></title></head><body></body></html>");
    // The worker's tests ask git for nothing, but the site does.
    execFileSync("git", ["init", "-q"], { cwd: copy.root });
    judge(copy.root, queries);
  } finally {
    copy.delete();
  }
}

function judge(root: string, count: number | undefined): void {
  const all = withoutTwins(findMutants(root));
  const step = Math.max(1, all.length / (count ?? all.length));
  const chosen = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  line("guards found", `${all.length}, of which ${chosen.length} are tried`);
  const sound = new Map<string, boolean>();
  /** A failure counts only where the same tests pass without the mutant. */
  const isSound = (tests: readonly string[]) => {
    const name = tests.join(" ");
    if (!sound.has(name)) sound.set(name, passes(root, tests));
    return sound.get(name) === true;
  };
  const survivors: Mutant[] = [];
  for (const [index, mutant] of chosen.entries()) {
    const path = join(root, mutant.file);
    const original = readFileSync(path, "utf8");
    const killed = roundsFor(root, mutant.file).some((tests) => {
      writeFileSync(path, mutant.source);
      const failed = !passes(root, tests);
      writeFileSync(path, original);
      return failed && isSound(tests);
    });
    if (!killed) survivors.push(mutant);
    const { kind, file, line: at, before } = mutant;
    line(
      `${index + 1}/${chosen.length} ${killed ? "killed" : "SURVIVED"} ${kind}`,
      `${file.slice(16)}:${at} ${before}`,
    );
  }
  goal("share of guards whose loss no test sees", survivors.length / chosen.length, GOAL_SURVIVED);
}
