/**
 * Mutation testing: removes each guard of the worker in turn (access levels, origin check, visibility, ownership, rate limits) in a copy
 * of the repository, and checks whether a test fails. `--queries n` takes a random sample of n, and `--skip n` skips the first n of it,
 * which an earlier run tried.
 *
 * Stryker cannot do this: it activates mutants through a global of the test process, but the worker runs in another process; and it does
 * not mutate conditions inside SQL, which are the main guards here.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { seededRandom } from "@lambda/testing/random";
import { type BenchOptions, printGoal, printLine } from "./figures.ts";
import { copyForTests, runVitest } from "./run-test.ts";

const GOAL_SURVIVED = 0.05;
const WORKER = "apps/worker";
/** A mutant that makes tests hang is killed by this timeout, like in CI; it is far longer than the tests take. */
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
  readonly replaceWith: (match: RegExpExecArray) => string;
}

const OWNER = "(?:profile_id|account_id|owner_id|author_id|liker_id|member_id|reporter_id|recipient_id|voter_id)";
const ME = "(?:[\\w.]*viewer\\.profileId|me|profileId|readerId|authorId|ownerId)";
/** The visibility rules and their combinations. Each of them, and each pattern below, must match at least once. */
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
  "isShownToJurors",
  "canBeTagged",
  "isAdmin",
];
const RULE = `(?:${RULES.join("|")})`;
const ARGUMENTS = "\\((?:[^()]|\\([^()]*\\))*\\)";
const REFUSAL =
  "NOT_ALLOWED|NOT_FOUND|NOT_LOGGED_IN|SUSPENDED|HIDING|FOREIGN_ORIGIN|LOGIN_FAILED|LINK_EXPIRED|OTHER_ACCOUNT";
/** What conditions that depend on the caller read; "no such row" is not a guard. Each must match at least once. */
const CALLER = [
  "viewer",
  "Id !==",
  "Id ===",
  "\\bme\\b",
  "\\bcan\\w*\\(",
  "verdict",
  "partners",
  "visible",
  "hidden",
  "brand",
  "expires",
  "ts_deleted",
  "known",
  "own",
  "origin",
  "isBrandAdmin\\(",
  "hasOtherAdmin\\(",
  "allowed",
  "listed",
  "picture_count",
  "\\bpending\\b",
  "AddressBan\\(",
];
const refusalPattern = (words: string) =>
  new RegExp(`if \\((?=[^{;]*(?:${words}))[^{;]*?\\)(?=\\s*\\{?\\s*throw new AppError\\("(?:${REFUSAL})")`, "g");

const PATTERNS: readonly Pattern[] = [
  { kind: "rule in SQL", find: new RegExp(`\\$\\{${RULE}${ARGUMENTS}\\}`, "g"), replaceWith: () => "1 = 1" },
  { kind: "rule in a query", find: new RegExp(`\\.where\\(${RULE}${ARGUMENTS}\\)`, "g"), replaceWith: () => "" },
  {
    kind: "owner in SQL",
    find: new RegExp(`(?<=(?:where|and|on|WHERE|AND)\\s+)[\\w.]*${OWNER} = \\$\\{${ME}\\}`, "g"),
    replaceWith: () => "1 = 1",
  },
  {
    kind: "owner in a query",
    find: new RegExp(`\\.where\\("[\\w.]*${OWNER}", "=", ${ME}\\)`, "g"),
    replaceWith: () => "",
  },
  { kind: "refusal", find: refusalPattern(CALLER.join("|")), replaceWith: () => "if (false)" },
  { kind: "staff's view", find: /if \(!isBrandAdmin\(ctx\)\) return undefined;/g, replaceWith: () => "" },
  { kind: "secret", find: /!receiptSecrets\([^|]*\) \|\| /g, replaceWith: () => "" },
  { kind: "cap", find: /(?:await|return) enforceLimit\([^;]*\);/g, replaceWith: () => ";" },
  { kind: "access level", find: /checkRefusal\(ctx, meta\);/g, replaceWith: () => "" },
  { kind: "access level", find: /(?<=access: |requireAccess\()"member"/g, replaceWith: () => '"session"' },
  { kind: "origin", find: /requireSameOrigin\(c\.req\.raw\);/g, replaceWith: () => "" },
  { kind: "for admins", find: /access === "admin" &&/g, replaceWith: () => "false &&" },
  { kind: "for admins", find: /(?<=: |=>\n {2})admin(?=Procedure|List)/g, replaceWith: () => "member" },
  { kind: "for active members", find: /(?<=: )member(?=Procedure|Command|List)/g, replaceWith: () => "session" },
  { kind: "session", find: /row\.ts_expires <= now \|\| /g, replaceWith: () => "" },
  { kind: "session", find: /row\.brand !== brand\.id \|\| /g, replaceWith: () => "" },
  { kind: "session", find: / \|\| row\.ts_deleted !== null(?=\) return null)/g, replaceWith: () => "" },
  { kind: "session of a listener", find: /s\.ts_expires > \$\{now\} and /g, replaceWith: () => "" },
  { kind: "listener", find: /\bsession\??\.maySee\b(?=\)| &&)/g, replaceWith: () => "true" },
  { kind: "suspended listener", find: / and \$\{isCurrentlyActive\("me", now\)\}/g, replaceWith: () => "" },
];

/**
 * Tests that may detect the loss of a guard in a file, in rounds that each stop at the first failure: first those in the same folder,
 * which are fastest; then those that check all procedures with every kind of caller, id and field; then all.
 */
function roundsFor(root: string, file: string): string[][] {
  const folder = dirname(file);
  const hasOwnTests = globSync(`${folder}/*.test.ts`, { cwd: root }).length > 0 && folder !== `${WORKER}/src`;
  const generalTests = [
    "src/authorization.test.ts",
    "src/security.test.ts",
    "src/platform/rest",
    "src/visibility",
    "src/messaging/messages",
  ];
  const missing = generalTests.filter((path) => !existsSync(join(root, WORKER, path)));
  if (missing.length > 0) throw new Error(`no such tests: ${missing.join(", ")}`);
  return [
    ...(hasOwnTests ? [[`${folder}/`]] : []),
    generalTests.map((path) => `${WORKER}/${path}`),
    [`${WORKER}/src/`],
  ];
}

function findMutants(root: string): Mutant[] {
  const files = globSync(`${WORKER}/src/**/*.ts`, { cwd: root })
    .filter((file) => !/\.test\.ts$|development\//.test(file))
    .sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const unused = unusedPatterns([...texts.values()]);
  if (unused.length > 0) throw new Error(`these guards are no longer found, fix their patterns: ${unused.join(", ")}`);
  return [...texts].flatMap(([file, text]) =>
    PATTERNS.flatMap(({ kind, find, replaceWith }) =>
      [...text.matchAll(find)].map((match) => ({
        file,
        kind,
        line: text.slice(0, match.index).split("\n").length,
        before: match[0].replace(/\s+/g, " ").slice(0, 100),
        source: text.slice(0, match.index) + replaceWith(match) + text.slice(match.index + match[0].length),
      })),
    ),
  );
}

/** Patterns, rules and words that match nothing in the sources, whose guards would be silently skipped. */
export function unusedPatterns(texts: readonly string[]): string[] {
  const patterns = PATTERNS.filter(({ find }) => !texts.some((text) => text.search(find) >= 0));
  const rules = RULES.filter(
    (rule) => !texts.some((text) => new RegExp(`(?:\\$\\{|\\.where\\()${rule}\\(`).test(text)),
  );
  const words = CALLER.filter((word) => !texts.some((text) => text.search(refusalPattern(word)) >= 0));
  return [...patterns.map(({ kind, find }) => `${kind} ${find.source}`), ...rules, ...words];
}

/** Also runs the tests with separate message databases. */
const testsPass = async (root: string, tests: readonly string[]) =>
  (await runVitest(root, ["--project", "worker", "--project", "databases", ...tests], ROUND_MS_MAX)) === 0;

/** A reproducible random sample, in the order of files. */
function sample(mutants: readonly Mutant[], count: number): Mutant[] {
  const random = seededRandom(7);
  const drawn = mutants.map((_, index) => ({ index, order: random.next() })).sort((a, b) => a.order - b.order);
  const chosen = new Set(drawn.slice(0, count).map(({ index }) => index));
  return mutants.filter((_, index) => chosen.has(index));
}

export async function run({ queries, skip = 0 }: BenchOptions): Promise<void> {
  using copy = copyForTests();
  // One access-level mutant per router, because the same test covers all its procedures.
  const seen = new Set<string>();
  const all = findMutants(copy.root).filter(({ file, kind }) => {
    const name = `${file} ${kind}`;
    if (kind.startsWith("for ") && seen.has(name)) return false;
    seen.add(name);
    return true;
  });
  const chosen = sample(all, queries ?? all.length).slice(skip);
  if (chosen.length === 0) throw new Error("there are no guards left to try");
  printLine("guards found", `${all.length}, of which ${chosen.length} are tried, from ${skip + 1} of the sample on`);
  let survived = 0;
  for (const [index, mutant] of chosen.entries()) {
    const outcome = await tryMutant(copy.root, mutant);
    if (outcome === undefined) survived += 1;
    const { kind, file, line, before } = mutant;
    printLine(`${index + 1}/${chosen.length} ${outcome ?? "SURVIVED"} ${kind}`, `${file.slice(16)}:${line} ${before}`);
  }
  printGoal("share of guards whose loss no test sees", survived / chosen.length, GOAL_SURVIVED);
}

const baseline = new Map<string, boolean>();

/** Says which round noticed the mutant, and after how long, because one that timed out may only mean that the machine was busy. */
async function tryMutant(root: string, { file, source }: Mutant): Promise<string | undefined> {
  const path = join(root, file);
  const original = readFileSync(path, "utf8");
  for (const [round, tests] of roundsFor(root, file).entries()) {
    const start = Date.now();
    writeFileSync(path, source);
    const passed = await testsPass(root, tests);
    writeFileSync(path, original);
    if (passed) continue;
    const seconds = Math.round((Date.now() - start) / 1000);
    const name = tests.join(" ");
    if (!baseline.has(name)) baseline.set(name, await testsPass(root, tests));
    if (!baseline.get(name)) throw new Error(`these tests fail without a mutant: ${name}`);
    return `killed in round ${round + 1} after ${seconds} s`;
  }
  return undefined;
}
