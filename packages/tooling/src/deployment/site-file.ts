/**
 * What belongs to the operator and not to this repository: `deployment/site.json`, which git ignores. The brands and wrangler's
 * configuration of the deployed site are made from it, so that a newer version conflicts with nothing.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Brand, brandsOfSite, EXAMPLE_BRANDS, type SiteBrands } from "@lambda/brands";
import { ROOT } from "@lambda/testing/site";
import type { Answers } from "../setup/answers.ts";

export interface SiteFile {
  readonly answers: Answers;
  readonly account?: string;
  /** Id of the main database. */
  readonly database?: string;
  /** Ids of the message databases by number. */
  readonly messageDatabases?: Readonly<Record<string, string>>;
  /** The public half of the push key. */
  readonly pushKey?: string;
  /** Variables of the worker that the operator changed (docs/OPERATIONS.md, Settings). */
  readonly vars?: Readonly<Record<string, string>>;
  /** Hosts besides those of the brands. */
  readonly otherHosts?: readonly string[];
  /** Finished steps of npm run setup whose result is not visible in the account. */
  readonly finished?: readonly string[];
}

export const DEPLOYMENT = "deployment";
const SITE = `${DEPLOYMENT}/site.json`;

/** Undefined before npm run setup. */
export function readSite(root: string): SiteFile | undefined {
  const file = join(root, SITE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SiteFile) : undefined;
}

/** Throws before npm run setup. */
export function requireSite(root: string): SiteFile {
  const site = readSite(root);
  if (!site)
    throw new Error(`There is no ${SITE}: npm run setup makes it, or bring it back from where you keep a copy.`);
  return site;
}

/** After a command on the data of this machine, which an operator may believe to be the site's. */
export function remindOfRemote(isRemote: boolean, say: (line: string) => void = console.log): void {
  if (!isRemote && readSite(ROOT))
    say("This was the data of this machine. The same command with --remote is for the deployed site.");
}

/** Changes some fields; an interruption leaves the file as it was. */
export function updateSite(root: string, change: Partial<SiteFile>): SiteFile {
  const site = { ...(readSite(root) as SiteFile), ...change };
  const file = join(root, SITE);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(site, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return site;
}

/** The operator's decisions about each of the site's brands. */
export function siteBrands({ brands, legalName, firstCity, contact }: Answers): SiteBrands {
  return Object.fromEntries(
    Object.entries(brands).map(([id, own]) => [
      id,
      { legalName, ...own, firstCity: own.firstCity ?? firstCity, contact: { ...contact, ...own.contact } },
    ]),
  );
}

export function listBrands({ answers }: SiteFile): [Brand, ...Brand[]] {
  return brandsOfSite(EXAMPLE_BRANDS, siteBrands(answers));
}

/** `https://host` of each brand. */
export function listOrigins(site: SiteFile): string[] {
  return listBrands(site).map(({ hosts }) => `https://${hosts[0]}`);
}
