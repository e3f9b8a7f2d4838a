import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Prompts for the passphrase of the sealed keys without echo; for a new one, twice. */
export async function askHidden(isNew: boolean): Promise<string> {
  const first = await ask(
    isNew ? "A new passphrase for the sealed keys, 16 characters or more: " : "Passphrase of the sealed keys: ",
  );
  if (isNew && (await ask("Repeat the passphrase: ")) !== first) throw new Error("The two passphrases differ.");
  return first;
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
