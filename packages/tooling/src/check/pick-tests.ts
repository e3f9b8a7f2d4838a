/**
 * Which tests a change needs, by the paths of its files. A worker's test enters over HTTP and a browser's through the built site, so no graph
 * of imports leads from one to the code it tries; the folders do.
 */

export interface Tree {
  /** Paths of all files, from the root of the repository. */
  readonly files: readonly string[];
  readonly read: (path: string) => string;
}

export interface Picked {
  /** Test files to run, without browser tests. */
  readonly tests: readonly string[];
  /** Browser tests that open a changed screen, the one that opens it most often first; they need a build. */
  readonly browser: readonly string[];
}

const WORKER = "apps/worker/src";
const TESTING = "packages/testing/src";
const TOOLING = "packages/tooling/src";
/** More files than these import a file of the contract that all know: its own tests are enough until `npm test`. */
const IMPORTERS_MAX = 12;

/** What must hold whatever else a change does, by the files that can break it. */
const RULES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^apps\/worker\/src\//, ["layers", "raw-statements"].map((name) => `${WORKER}/${name}.test.ts`)],
  [
    /^apps\/worker\/src\/(.*\/)?([a-z-]+-)?router\.ts$/,
    ["authorization", "router", "acts", "repeats", "visibility/ids", "visibility/fields"].map(
      (name) => `${WORKER}/${name}.test.ts`,
    ),
  ],
  [/^apps\/worker\/src\/(.*\/)?(queries|statements)\.ts$/, [`${WORKER}/visibility/single-source.test.ts`]],
  [
    /^(schema\.sql$|migrations\/)/,
    [
      `${TOOLING}/schema-types.test.ts`,
      `${TOOLING}/deploy/numbered-migrations.test.ts`,
      `${WORKER}/data-rights/export/columns.test.ts`,
      `${WORKER}/data-rights/deletion/deletion.test.ts`,
      `${WORKER}/stored-json.test.ts`,
    ],
  ],
  [
    /^packages\/(testing\/src\/adversary\/|contract\/src\/profile)/,
    ["visibility/ids", "visibility/fields"].map((name) => `${WORKER}/${name}.test.ts`),
  ],
  [/^apps\/web\/src\//, ["layers", "copy-names", "forms", "deadlines"].map((name) => `apps/web/src/${name}.test.ts`)],
  [/\.(md|txt)$/, [`${TESTING}/documents.test.ts`]],
  [/^packages\/contract\/src\/profile-texts\.ts$/, [`${TESTING}/documents.test.ts`]],
  [/^docs\/OPERATIONS\.md$/, [`${TESTING}/operations.test.ts`]],
  [/^packages\/contract\/src\/limits\.ts$/, [`${TESTING}/limits.test.ts`]],
];

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isBrowserTest = (path: string) => /^apps\/web\/(e2e|engines)\//.test(path);
const isUsual = (path: string) => isTest(path) && !isBrowserTest(path) && !/\.(nightly|operation)\.test\./.test(path);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** The tests for changed files, which may have been deleted. */
export function pickTests(changed: readonly string[], tree: Tree): Picked {
  const all = new Set(tree.files);
  const usual = tree.files.filter(isUsual);
  const picked = new Set<string>();
  for (const path of changed) {
    if (isUsual(path)) picked.add(path);
    for (const [pattern, tests] of RULES) if (pattern.test(path)) for (const test of tests) picked.add(test);
    if (/^(apps|packages)\/.*\.(tsx?|css)$/.test(path)) for (const test of testsNear(path, usual)) picked.add(test);
    for (const importer of importersOf(path, tree)) for (const test of testsNear(importer, usual)) picked.add(test);
  }
  const urls = changed.flatMap((path) => urlsOf(path, tree));
  const openings = (path: string) =>
    changed.includes(path) ? Number.POSITIVE_INFINITY : urls.reduce((sum, url) => sum + count(tree.read(path), url), 0);
  const browser = tree.files
    .filter((path) => isBrowserTest(path) && isTest(path))
    .map((path) => ({ path, opened: openings(path) }))
    .filter(({ opened }) => opened > 0)
    .sort((one, other) => other.opened - one.opened);
  return { tests: [...picked].filter((path) => all.has(path)).sort(), browser: browser.map(({ path }) => path) };
}

/** The tests in the file's folder, or the nearest one above that has any, within its package. */
function testsNear(path: string, tests: readonly string[]): readonly string[] {
  const source = /^(apps|packages)\/[^/]+\/src/.exec(path)?.[0];
  if (source === undefined) return [];
  for (let folder = folderOf(path); folder.length > source.length; folder = folderOf(folder)) {
    const near = tests.filter((test) => folderOf(test) === folder);
    if (near.length > 0) return near;
  }
  const name = path.replace(/\.tsx?$/, "");
  return tests.filter((test) => test.startsWith(`${name}.`));
}

/** The worker's files that import a file of the contract, unless all do. */
function importersOf(path: string, { files, read }: Tree): readonly string[] {
  const name = /^packages\/contract\/src\/(.+)\.ts$/.exec(path)?.[1];
  if (name === undefined) return [];
  const importing = files.filter(
    (file) => file.startsWith(`${WORKER}/`) && !isTest(file) && read(file).includes(`"@lambda/contract/${name}"`),
  );
  return importing.length > IMPORTERS_MAX ? [] : importing;
}

const SCREEN = /"(\/[^"*]+)": (?:lazy\w+\(\(\) => import\("\.\/(features\/[^"]+)"\)|(\w+),)/g;

/** The URLs of the screens in a changed file's folder. */
function urlsOf(path: string, { read }: Tree): readonly string[] {
  if (!path.startsWith("apps/web/src/features/")) return [];
  const screens = read("apps/web/src/screens.ts");
  const named = (name = "") =>
    new RegExp(`const ${name} = lazy\\w+\\(\\(\\) => import\\("\\./([^"]+)"`).exec(screens)?.[1];
  return [...screens.matchAll(SCREEN)]
    .filter(([, , file, name]) => folderOf(`apps/web/src/${file ?? named(name)}`) === folderOf(path))
    .map(([, url]) => url!.replace(/\/:.*$/, ""));
}

const count = (test: string, url: string) => test.match(new RegExp(`${url}(?![\\w/])`, "g"))?.length ?? 0;
