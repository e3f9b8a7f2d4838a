/** The state of npm run setup between runs: answers and finished steps, never keys. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Answers } from "./answers.ts";

export interface State {
  readonly answers?: Answers;
  readonly finished: readonly string[];
}

export function readState(file: string): State {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as State) : { finished: [] };
}

export function writeState(file: string, { answers, finished }: State): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ answers, finished }, null, 2)}\n`, { mode: 0o600 });
}
