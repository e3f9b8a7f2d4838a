/** One way to break the defense of one row of the table "Attackers and defenses" in docs/SECURITY.md. Paths start at apps/worker/src. */
export interface Break {
  /** The row's goal, to the letter. */
  readonly row: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test file that notices it, and a part of the test's name. */
  readonly test: string;
  readonly name: string;
}

const WORKER = "apps/worker/src/";

/** The path from the root of the repository. */
export const pathOf = (path: string) => (/^(apps|packages)\//.test(path) ? path : `${WORKER}${path}`);
