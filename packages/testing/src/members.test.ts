import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./site.ts";

const INSERTS =
  /insert\s+(or\s+\w+\s+)?into\s+["`]?(account|profile)\b|insert(Into|From|If|Rows)\(([\w.]+,\s*)?["'`](account|profile)["'`]/i;
/** The worker registers members and creates the test users that staff request. */
const PRODUCTION = /^apps\/worker\/src\/(?!.*\.test\.ts$)/;

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : sourceFiles(path);
    return /\.(ts|tsx|mjs|js)$/.test(entry.name) ? [path] : [];
  });
}

it("members.ts is the only file of tests, benches and seeds that inserts members", () => {
  const files = ["apps", "packages"].flatMap(sourceFiles);
  const inserting = files.filter((path) => INSERTS.test(readFileSync(join(ROOT, path), "utf8")));
  expect(inserting).toContain("apps/worker/src/accounts/queries.ts");
  expect(inserting.filter((path) => !PRODUCTION.test(path))).toEqual([
    "packages/testing/src/members.ts",
    // A member of whom the inserter's database knows nothing.
    "packages/tooling/src/backup/protective-acts.test.ts",
    // The members that check a deployment, on a site without the worker's code at hand.
    "packages/tooling/src/deploy/member-check.ts",
    // Insert into the tables of an earlier version.
    "packages/tooling/src/deploy/numbered-migrations.test.ts",
    "packages/tooling/src/upgrade.operation.test.ts",
  ]);
});
