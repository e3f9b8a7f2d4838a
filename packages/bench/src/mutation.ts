/**
 * Takes each guard of the worker away in turn (access levels, origin check, visibility, whose row it is, caps) in copies of the
 * repository, and looks whether a test fails. `--queries n` takes a random sample of n, and
 * `--skip n` leaves out the first n of it, which an earlier run tried. Prints each guard's result as soon as it is known.
 *
 * Stryker cannot do this: it switches its mutants by a global of the test's process, and the worker runs in another one; and its
 * mutators leave out what guards most here, the conditions inside SQL.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { seededRandom } from "@lambda/testing/random";
import { copyRepository } from "@lambda/testing/repository-copy";
import { goal, line } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

const GOAL_SURVIVED = 0.05;
const WORKER = "apps/worker";
/** Copies in which mutants are tried at the same time: one, so that a core stays free, and no test waits so long that it fails. */
const COPIES = 1;
/** A mutant that makes the tests hang is killed by this, as it would be in CI; so much longer than the tests take. */
const ROUND_MS_MAX = 600_000;

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
/** The rules of members/visibility, and what is composed of them. Each must be found at least once, as every pattern below. */
const RULES = [
  "visibleTo",
  "listedOn",
  "notBlocked",
  "notBlockedAt",
  "notBlockedBy",
  "blockedBy",
  "viewerVisibleTo",
  "albumOpenTo",
  "isNotificationVisible",
  "albumPictureOpenTo",
  "visibleInPresence",
  "brandInScope",
  "memberInScope",
  "listedInScope",
  "shownToJurors",
  "mayBeCaught",
];
const RULE = `(?:${RULES.join("|")})`;
const ARGUMENTS = "\\((?:[^()]|\\([^()]*\\))*\\)";
const REFUSAL =
  "NOT_ALLOWED|NOT_FOUND|NOT_LOGGED_IN|SUSPENDED|HIDING|FOREIGN_ORIGIN|LOGIN_FAILED|LINK_EXPIRED|OTHER_ACCOUNT";

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
  { kind: "access level", find: /\.use\(require\w+\)/g, put: () => "" },
  { kind: "access level", find: /(?<=access: |requireAccess\()"member"/g, put: () => '"session"' },
  { kind: "origin", find: /requireSameOrigin\(c\.req\.raw\);/g, put: () => "" },
  { kind: "for admins", find: /(?<=: )adminProcedure/g, put: () => "memberProcedure" },
  { kind: "for active members", find: /(?<=: )memberProcedure/g, put: () => "sessionProcedure" },
  { kind: "session", find: /row\.ts_expires <= now \|\| /g, put: () => "" },
  { kind: "session", find: /row\.brand !== brand\.id \|\| /g, put: () => "" },
  { kind: "session", find: / \|\| row\.ts_deleted !== null(?=\) return null)/g, put: () => "" },
  { kind: "session of a listener", find: /s\.ts_expires > \$\{now\} and /g, put: () => "" },
  { kind: "listener", find: /if \(session\??\.maySee\) /g, put: () => "" },
  { kind: "suspended listener", find: / and \(me\.status = 'active' or [^`]*\)(?=`)/g, put: () => "" },
];

/**
 * Tests that may see the loss of a guard in this file, each round one process that ends at its first failure: first those
 * beside it, the quickest; then the walks over all calls with every kind of caller, id and field; then all.
 */
function roundsFor(root: string, file: string): string[][] {
  const folder = dirname(file);
  const beside = globSync(`${folder}/*.test.ts`, { cwd: root }).length > 0 && folder !== `${WORKER}/src`;
  const walks = [
    "src/authorization.test.ts",
    "src/security.test.ts",
    "src/platform/rest",
    "src/members/visibility",
    "src/social/messages",
  ];
  const missing = walks.filter((walk) => !existsSync(join(root, WORKER, walk)));
  if (missing.length > 0) throw new Error(`no such tests: ${missing.join(", ")}`);
  return [...(beside ? [[`${folder}/`]] : []), walks.map((walk) => `${WORKER}/${walk}`), [`${WORKER}/src/`]];
}

function findMutants(root: string): Mutant[] {
  const files = globSync(`${WORKER}/src/**/*.ts`, { cwd: root })
    .filter((file) => !/\.test\.ts$|development\//.test(file))
    .sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const unused = unusedPatterns([...texts.values()]);
  if (unused.length > 0) throw new Error(`these guards are no longer found, mend their patterns: ${unused.join(", ")}`);
  return [...texts].flatMap(([file, text]) =>
    PATTERNS.flatMap(({ kind, find, put }) =>
      [...text.matchAll(find)].map((found) => ({
        file,
        kind,
        line: text.slice(0, found.index).split("\n").length,
        before: found[0].replace(/\s+/g, " ").slice(0, 100),
        source: text.slice(0, found.index) + put(found) + text.slice(found.index + found[0].length),
      })),
    ),
  );
}

/** Patterns and rules that match nothing in these sources: what they stood for would silently not be tried. */
export function unusedPatterns(texts: readonly string[]): string[] {
  const patterns = PATTERNS.filter(({ find }) => !texts.some((text) => text.search(find) >= 0));
  const rules = RULES.filter(
    (rule) => !texts.some((text) => new RegExp(`(?:\\$\\{|\\.where\\()${rule}\\(`).test(text)),
  );
  return [...patterns.map(({ kind, find }) => `${kind} ${find.source}`), ...rules];
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

async function passes(root: string, tests: readonly string[]): Promise<boolean> {
  // Twice where messages are read: in the main database, and in databases of their own.
  const projects = ["--project", "worker", "--project", "databases"];
  const all = ["run", "--config", "packages/testing/all-tests.config.ts", ...projects, "--bail", "1", ...tests];
  const child = spawn(join(root, "node_modules/.bin/vitest"), all, {
    cwd: root,
    stdio: "ignore",
    timeout: ROUND_MS_MAX,
  });
  const [status] = (await once(child, "exit")) as [number | null];
  return status === 0;
}

export async function run({ queries, skip }: BenchOptions): Promise<void> {
  const copies = Array.from({ length: COPIES }, () => copyRepository());
  try {
    for (const { root } of copies) {
      const page = join(root, "apps/web/dist/index.html");
      mkdirSync(dirname(page), { recursive: true });
      writeFileSync(page, "<!doctype html><html><head><title></title></head><body></body></html>");
      // The worker's tests ask git for nothing, but the site does.
      execFileSync("git", ["init", "-q"], { cwd: root });
    }
    await judge(
      copies.map(({ root }) => root),
      queries,
      skip ?? 0,
    );
  } finally {
    for (const copy of copies) copy.delete();
  }
}

/** So many of them, drawn at random but the same each time, in the order of their files. */
function sample(mutants: readonly Mutant[], count: number): Mutant[] {
  const random = seededRandom(7);
  const drawn = mutants.map((_, index) => ({ index, order: random.next() })).sort((a, b) => a.order - b.order);
  return drawn
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => mutants[index]!);
}

async function judge(roots: readonly string[], count: number | undefined, skip: number): Promise<void> {
  const all = withoutTwins(findMutants(roots[0]!));
  const chosen = sample(all, count ?? all.length).slice(skip);
  if (chosen.length === 0) throw new Error("no guard is left to try");
  line("guards found", `${all.length}, of which ${chosen.length} are tried, from ${skip + 1} of the sample on`);
  const sound = new Map<string, Promise<boolean>>();
  const survivors: Mutant[] = [];
  let tried = 0;
  const judgeOne = async (root: string, mutant: Mutant) => {
    const path = join(root, mutant.file);
    const original = readFileSync(path, "utf8");
    let killed: string | undefined;
    for (const [round, tests] of roundsFor(root, mutant.file).entries()) {
      const start = Date.now();
      writeFileSync(path, mutant.source);
      const failed = !(await passes(root, tests));
      writeFileSync(path, original);
      if (!failed) continue;
      const seconds = Math.round((Date.now() - start) / 1000);
      // A failure counts only where the same tests pass without the mutant; where they do not, nothing is known of any.
      const name = tests.join(" ");
      if (!sound.has(name)) sound.set(name, passes(root, tests));
      if (!(await sound.get(name))) throw new Error(`these tests fail without a mutant: ${name}`);
      // A round that took all the time it had may have noticed nothing: the machine may have been busy.
      killed = `killed in round ${round + 1} after ${seconds} s`;
      break;
    }
    if (!killed) survivors.push(mutant);
    tried += 1;
    const { kind, file, line: at, before } = mutant;
    line(`${tried}/${chosen.length} ${killed ?? "SURVIVED"} ${kind}`, `${file.slice(16)}:${at} ${before}`);
  };
  const left = [...chosen];
  await Promise.all(
    roots.map(async (root) => {
      for (let mutant = left.shift(); mutant; mutant = left.shift()) await judgeOne(root, mutant);
    }),
  );
  goal("share of guards whose loss no test sees", survivors.length / chosen.length, GOAL_SURVIVED);
}
