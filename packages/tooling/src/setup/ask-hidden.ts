import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { PASSPHRASE_MIN } from "./keys.ts";

/** Prompts for the passphrase of the sealed keys without echo; for a new one, twice, until both are the same and long enough. */
export async function askHidden(isNew: boolean): Promise<string> {
  if (!isNew) return ask("Passphrase of the sealed keys: ");
  for (let problem = ""; ; problem = "They differ, or are too short. ") {
    const first = await ask(`${problem}A new passphrase for the sealed keys, ${PASSPHRASE_MIN} characters or more: `);
    if (first.length >= PASSPHRASE_MIN && (await ask("Repeat the passphrase: ")) === first) return first;
  }
}

/** Prompts for one line without echo. */
export async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    process.stdout.write(question);
    return await lines.question("");
  } finally {
    lines.close();
    process.stdout.write("\n");
  }
}
