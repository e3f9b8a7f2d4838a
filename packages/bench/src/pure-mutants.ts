/**
 * Stryker's mutants of the code that needs no worker to be tested: geometry, the rules of the contract, and the state machine of a
 * case. It runs in a copy of the repository and changes the files in place: in a sandbox of its own, a package would miss the
 * settings that it extends, and Stryker would ask TypeScript for an interface that version 7 has not.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goal, line } from "./figures.ts";

interface PureFolder {
  readonly workspace: string;
  /** What is mutated, and where its tests are. */
  readonly folder: string;
  /** Files of the folder that hold rules; all of them where it is left out. */
  readonly files?: readonly string[];
}

const PURE_FOLDERS: readonly PureFolder[] = [
  { workspace: "packages/geo", folder: "src" },
  { workspace: "packages/contract", folder: "src", files: ["events.ts", "names.ts"] },
  { workspace: "apps/worker", folder: "src/moderation/case" },
];

/** Formulas and tables have many mutants that mean the same, so that more may survive than of the guards. */
const GOAL_SURVIVED = 0.3;
const SETTINGS = "stryker-of-this-copy.json";
const TESTS = "vitest-of-this-copy.config.mjs";
const REPORT = "reports/mutation/mutation.json";

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: string;
          readonly location: { readonly start: { readonly line: number } };
        }[];
      }
    >
  >;
}

/** Prints for each folder how many mutants no test saw, and which. */
export async function judgePureCode(root: string, concurrency: number): Promise<void> {
  for (const pure of PURE_FOLDERS) {
    const { workspace } = pure;
    await runStryker(root, pure, concurrency);
    const { files } = JSON.parse(readFileSync(join(root, workspace, REPORT), "utf8")) as Report;
    const mutants = Object.entries(files).flatMap(([file, { mutants: found }]) =>
      found.map((mutant) => ({ ...mutant, file })),
    );
    const survivors = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
    for (const { file, location, mutatorName, replacement = "" } of survivors) {
      line(`SURVIVED ${mutatorName}`, `${workspace}/${file}:${location.start.line} ${replacement.slice(0, 80)}`);
    }
    line(`mutants of ${workspace}`, `${mutants.length}, of which ${survivors.length} survived`);
    goal(`share that no test sees in ${workspace}`, survivors.length / mutants.length, GOAL_SURVIVED);
  }
}

async function runStryker(root: string, { workspace, folder, files }: PureFolder, concurrency: number): Promise<void> {
  const cwd = join(root, workspace);
  const mutated = files?.map((file) => `${folder}/${file}`) ?? [`${folder}/*.ts`, `!${folder}/*.test.ts`];
  // The package's own settings would start a worker for these tests.
  writeFileSync(
    join(cwd, TESTS),
    `export default { test: { include: ["${folder}/*.test.ts"], testTimeout: 30_000 } };\n`,
  );
  const settings = {
    inPlace: true,
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: TESTS },
    mutate: mutated,
    reporters: ["json"],
    coverageAnalysis: "perTest",
    concurrency,
  };
  writeFileSync(join(cwd, SETTINGS), JSON.stringify(settings));
  const child = spawn(join(root, "node_modules/.bin/stryker"), ["run", SETTINGS], { cwd, stdio: "inherit" });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`Stryker ended with ${status} in ${workspace}`);
}
