import { readdirSync, readFileSync } from "node:fs";

/**
 * One way to break the defense of one row of the table "Attackers and defenses" in docs/SECURITY.md. The text files beside this one list
 * them in blocks: `#` the row's goal, unless it is that of the block before, `=` the file, `-` the text to find, `+` what replaces it, and
 * `?` the test file that notices it, with a part of the test's name. Paths start at apps/worker/src.
 */
export interface Break {
  /** The row's goal, to the letter. */
  readonly row: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  readonly name: string;
}

function parse(text: string): Break[] {
  let row = "";
  return text
    .trim()
    .split("\n\n")
    .map((block) => {
      const lines = (mark: string) => {
        const marked = block.split("\n").filter((line) => line.startsWith(mark));
        return marked.map((line) => line.slice(mark.length)).join("\n");
      };
      row = lines("# ") || row;
      const [, test = "", name = ""] = /^(\S+):\s?(.*)/.exec(lines("? ")) ?? [];
      return { row, file: lines("= "), find: lines("-"), replace: lines("+"), test, name };
    });
}

const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"));
export const BREAKS: readonly Break[] = FILES.flatMap((name) =>
  parse(readFileSync(`${import.meta.dirname}/${name}`, "utf8")),
);

const WORKER = "apps/worker/src/";

/** The path from the root of the repository. */
export const pathOf = (path: string) => (/^(apps|packages)\//.test(path) ? path : `${WORKER}${path}`);
