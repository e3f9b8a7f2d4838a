/** Compares the list of values keyed by a secret of the server, in docs/SECURITY.md, with the labels that the worker's code uses. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./site.ts";

/** What takes a key and a label for its purpose. */
const KEYED_CALL =
  /(?<!function |[.\w])(?:labeledMac|hmacSha256|encrypt|sketchOf|derive|createHash\("sha256"\)\.update(?=\([^)]*_KEY))\(/g;
/** The first literal after the key, or the constant that holds it. */
const LABEL = /^\s*(?:[^,"`]*,\s*)?(?:(["`])([^"`$]+)(\$\{)?|(\w*LABEL)\b)/;
const HELPERS = ["platform/mac.ts", "platform/encryption.ts", "platform/rate-limits/sketch.ts"];
/** Files that only hand a key to another file, and the type of the bindings. */
const HANDING_ON = [
  "members/accounts/login.ts",
  "moderation/hold/start.ts",
  "moderation/staff/holds/content.ts",
  "platform/env.ts",
];

const directory = join(ROOT, "apps/worker/src");
const sources = globSync("**/*.ts", { cwd: directory })
  .filter((file) => !file.includes(".test.") && !HELPERS.includes(file))
  .map((file) => ({ file, text: readFileSync(join(directory, file), "utf8") }));

function labelsOf({ file, text }: { file: string; text: string }): string[] {
  return [...text.matchAll(KEYED_CALL)].flatMap(({ 0: call, index }) => {
    const found = LABEL.exec(text.slice(index + call.length));
    const [, quote, literal = "", isOpen, constant] = found ?? [];
    if (constant) return new RegExp(`const ${constant} = "([^"]+)"`).exec(text)?.[1] ?? `${file}: ${constant}`;
    if (literal.endsWith("-") && quote === "`" && isOpen) return purposesOf(text, index).map((each) => literal + each);
    return literal.replace(/:$/, "") || `${file}: ${call}`;
  });
}

/** The literals with which the function around a label like `notice-${purpose}` is called. */
function purposesOf(text: string, index: number): string[] {
  const [, exported, name] = [...text.slice(0, index).matchAll(/(export )?function (\w+)\(/g)].at(-1) ?? [];
  const calls = new RegExp(`(?<!function |[.\\w])${name}\\([^"\`)]*"([^"]+)"`, "g");
  const texts = exported ? sources.map((source) => source.text) : [text];
  return texts.flatMap((each) => [...each.matchAll(calls)].map(([, purpose]) => purpose!));
}

it("docs/SECURITY.md lists every value that is keyed by a secret of the server, with its label in the code", () => {
  const page = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const [, section = ""] = /\n## Keyed values that follow a person\n([\s\S]*?)\n## /.exec(page) ?? [];
  const listed = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...line.split("|")[1]!.matchAll(/`([^`]+)`/g)].map(([, label]) => label!));
  const keyed = [...new Set(sources.flatMap(labelsOf))];
  expect(keyed.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual(keyed.toSorted());
});

it("no other file of the worker uses a key", () => {
  const using = sources.filter(({ text }) => /\b(?:POSITION_KEY|HOLD_KEY)\b(?!")/.test(stripComments(text)));
  const unlabeled = using.filter((source) => labelsOf(source).length === 0);
  expect(unlabeled.map(({ file }) => file).toSorted()).toEqual(HANDING_ON);
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
