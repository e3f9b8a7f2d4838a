/** Writes the operator's answers into project files. Repeating it changes nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRANDS } from "@lambda/brands";
import type { NumberedDatabase } from "@lambda/testing/message-databases";
import type { Answers } from "./answers.ts";

const CONFIG = "wrangler.toml";
/** Only this part of wrangler.toml is edited, not the development configuration above it. */
const PRODUCTION = "\n[env.production]";

/** Returns the changed files, relative to the project. */
export function writeProject(root: string, answers: Answers): string[] {
  const changed = BRANDS.map(({ id }) =>
    edit(root, `packages/brands/src/${id}.ts`, (text) => brandFile(text, answers, id)),
  );
  return [...changed, edit(root, CONFIG, (text) => configFile(text, answers))].filter((file) => file !== undefined);
}

export function writeDatabaseId(root: string, id: string, account: string): string[] {
  const set = (text: string) =>
    inProduction(text, (part) => {
      const named = part.replace(/^database_id = ".*"$/m, `database_id = "${id}"`);
      return variable(variable(named, "BACKUP_ACCOUNT", account), "BACKUP_DATABASE", id);
    });
  return [edit(root, CONFIG, set)].filter((file) => file !== undefined);
}

/** Binds the database after the other production databases, and adds its id for backups. */
export function writeMessageDatabase(root: string, { number, name, id }: NumberedDatabase): string[] {
  const entry = `[[env.production.d1_databases]]
binding = "MESSAGES_${number}"
database_name = "${name}"
database_id = "${id}"
`;
  const set = (text: string) =>
    inProduction(text, (part) => {
      const databases = [...part.matchAll(/^\[\[env\.production\.d1_databases\]\]\n(?:\w+ = .*\n)+/gm)];
      const known = databases.find(([block]) => block.includes(`binding = "MESSAGES_${number}"`));
      const last = known ?? databases.at(-1);
      if (!last) throw new Error(`${CONFIG} has no database in [env.production]`);
      const end = last.index + last[0].length;
      const bound = part.slice(0, known ? last.index : end) + entry + part.slice(end);
      const ids = new Map(/^BACKUP_MESSAGES = "(.*)"$/m.exec(part)?.[1]?.split(" ").filter(Boolean).map(numberAndId));
      const listed = [...ids.set(String(number), id)].map(([one, own]) => `${one}:${own}`);
      return variable(bound, "BACKUP_MESSAGES", listed.join(" "));
    });
  return [edit(root, CONFIG, set)].filter((file) => file !== undefined);
}

const numberAndId = (word: string): [string, string] => {
  const at = word.indexOf(":");
  return [word.slice(0, at), word.slice(at + 1)];
};

export function writePushKey(root: string, publicKey: string): string[] {
  return [
    edit(root, CONFIG, (text) => inProduction(text, (part) => variable(part, "VAPID_PUBLIC_KEY", publicKey))),
  ].filter((file) => file !== undefined);
}

/** The current value of a production variable. */
export function readVariable(root: string, name: string): string {
  const text = readFileSync(join(root, CONFIG), "utf8");
  const part = text.slice(text.indexOf(PRODUCTION));
  return new RegExp(`^${name} = "(.*)"$`, "m").exec(part)?.[1] ?? "";
}

function edit(root: string, file: string, change: (text: string) => string): string | undefined {
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  if (after === before) return undefined;
  writeFileSync(path, after);
  return file;
}

function brandFile(text: string, { brands }: Answers, id: string): string {
  const { host, legalName, post, authorities } = brands[id]!;
  const set = (field: string, value: string) => (source: string) => {
    const pattern = new RegExp(`^(\\s*${field}: ).*,$`, "m");
    if (!pattern.test(source)) throw new Error(`packages/brands/src/${id}.ts has no line "${field}: ...,"`);
    return source.replace(pattern, (_line, start: string) => `${start}${value},`);
  };
  const quoted = JSON.stringify;
  const word = (field: string, value: string) => (source: string) =>
    source.replace(
      new RegExp(`(\\bcontact: \\{.*\\b${field}: )"(?:[^"\\\\]|\\\\.)*"`),
      (_found, start: string) => start + quoted(value),
    );
  return [
    set("hosts", `[${quoted(host)}, ${quoted(`www.${host}`)}]`),
    set("senderAddress", quoted(`hello@${host}`)),
    set("operatorAddress", quoted(`volunteers@${host}`)),
    set("legalName", quoted(legalName)),
    word("post", post),
    word("authorities", authorities),
  ].reduce((source, change) => change(source), text);
}

function configFile(text: string, { brands, operator, location }: Answers): string {
  const hosts = BRANDS.flatMap(({ id }) => [brands[id]!.host, `www.${brands[id]!.host}`]);
  const routes = hosts.map((host) => `  { pattern = "${host}", custom_domain = true },`).join("\n");
  return inProduction(text, (part) => {
    const routed = part.replace(/^routes = \[[\s\S]*?^\]$/m, `routes = [\n${routes}\n]`);
    const alerted = variable(variable(routed, "VAPID_SUBJECT", `mailto:${operator}`), "ALERT_ADDRESS", operator);
    const placed = alerted.replace(/^(bucket_name = ".*")\n(?:jurisdiction = ".*"\n)?/gm, "$1\n");
    return location === "eu" ? placed.replace(/^(bucket_name = ".*")$/gm, '$1\njurisdiction = "eu"') : placed;
  });
}

function variable(part: string, name: string, value: string): string {
  const pattern = new RegExp(`^${name} = ".*"$`, "m");
  if (!pattern.test(part)) throw new Error(`${CONFIG} has no ${name} in [env.production.vars]`);
  return part.replace(pattern, () => `${name} = ${JSON.stringify(value)}`);
}

function inProduction(text: string, change: (part: string) => string): string {
  const at = text.indexOf(PRODUCTION);
  if (at < 0) throw new Error(`${CONFIG} has no [env.production]`);
  return text.slice(0, at) + change(text.slice(at));
}
