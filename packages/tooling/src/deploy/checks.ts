/** Checks before a deployment. Each problem is a sentence for the operator. */
import { existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Brand, missingContacts } from "@lambda/brands";
import { parseAgePolicy } from "@lambda/contract/age-policy";
import { parseAgeProvider } from "@lambda/contract/age-provider";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import type { WranglerConfig } from "@lambda/testing/wrangler-config";
import { runWrangler } from "../deployment/run-wrangler.ts";

/** Placeholders in a fresh copy of the project. */
const isNoDatabase = (id: string) => /^[0-]*$/.test(id);
const EXAMPLE_HOST = /\.example$/;
/** A message's id has six bits for its database number, where 0 is the main database. */
const MESSAGE_DATABASES_END = 64;
/** The platform takes 5 KB (developers.cloudflare.com/workers/platform/limits, Environment variables). */
const VARIABLE_BYTES_MAX = 5_000;
/** Strings that occur only in development builds. */
const DEVELOPMENT_STRINGS = ["/dev/sql", "x-development-now", "development-position-key"];

/** Why this configuration cannot be deployed; empty if it can. */
export function listConfigProblems(
  { env: { production } }: WranglerConfig,
  brands: readonly Pick<Brand, "id" | "hosts">[],
): string[] {
  const problems: string[] = [];
  if (isNoDatabase(production.d1_databases[0].database_id)) problems.push("deployment/site.json names no database");
  const messages = listMessageDatabases(production.d1_databases);
  for (const { number, id } of messages) {
    if (isNoDatabase(id)) problems.push(`MESSAGES_${number} of deployment/site.json names no database`);
    if (number < 1 || number >= MESSAGE_DATABASES_END)
      problems.push(
        `MESSAGES_${number} of deployment/site.json is none of MESSAGES_1 to MESSAGES_${MESSAGE_DATABASES_END - 1}`,
      );
  }
  if (new Set(production.d1_databases.map(({ database_id }) => database_id)).size < production.d1_databases.length)
    problems.push("deployment/site.json names one database twice");
  if (!production.vars.VAPID_PUBLIC_KEY) problems.push("deployment/site.json has no pushKey");
  if (production.vars.ENVIRONMENT !== "production") problems.push("[env.production.vars] is not of production");
  if (production.define?.__DEVELOPMENT__ !== "false") problems.push("[env.production.define] keeps development code");
  for (const name of production.secrets?.required ?? []) {
    if (name in production.vars)
      problems.push(
        `${name} is a secret and stands in "vars" of deployment/site.json: take it out, and make a new one`,
      );
  }
  for (const [name, value] of Object.entries(production.vars)) {
    const bytes = Buffer.byteLength(value);
    if (bytes > VARIABLE_BYTES_MAX)
      problems.push(`${name} has ${bytes} bytes, and the platform takes ${VARIABLE_BYTES_MAX} for each variable`);
  }
  const routes = new Set(production.routes?.map(({ pattern }) => pattern));
  for (const { id, hosts } of brands) {
    for (const host of hosts) {
      if (EXAMPLE_HOST.test(host)) problems.push(`${id} has the host ${host}, which is nobody's`);
      if (!routes.has(host)) problems.push(`the routes lack ${host}`);
    }
  }
  for (const parse of [
    () => parseAgePolicy(production.vars.AGE_POLICY),
    () => parseAgeProvider(production.vars.AGE_OIDC),
  ]) {
    try {
      parse();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return problems;
}

/** Missing legal contacts, which do not block a deployment. */
export function listMissingContacts(brands: readonly Pick<Brand, "id" | "contact">[]): string[] {
  return brands.flatMap(({ id, contact }) => {
    const missing = missingContacts(contact);
    return missing.length > 0 ? [`${id}: the legal notice lacks ${missing.join(", ")}`] : [];
  });
}

/** Bundles for production and throws if the bundle contains development code. */
export async function rejectDevelopmentCode(config: string): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  await runWrangler(["deploy", "--config", config, "--dry-run", "--outdir", folder.path]);
  const strings = findDevelopmentCode(folder.path);
  if (strings.length > 0) throw new Error(`The bundle is not a production build: it contains ${strings.join(", ")}`);
}

export function findDevelopmentCode(folder: string): string[] {
  if (!existsSync(folder)) throw new Error("There is no bundle.");
  const code = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  if (code === "") throw new Error("There is no bundle.");
  return DEVELOPMENT_STRINGS.filter((text) => code.includes(text));
}
