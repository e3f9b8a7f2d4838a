/** The deployed databases, accessed by the platform's API, because starting wrangler for each statement would be slow. */
import { type BoundDatabase, listMessageDatabases, messageSchema } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { type Account, openAccount, readApiSettings } from "../account/client.ts";
import { queryDatabase } from "../account/resources.ts";
import { deployedName, readDeployedConfig } from "../deployment/config.ts";
import { runWrangler } from "../deployment/run-wrangler.ts";
import { readSite, requireSite, type SiteFile } from "../deployment/site-file.ts";
import type { RunStatement } from "../migration.ts";
import { type DatabaseKind, migrationsFor, type NumberedMigration } from "./numbered-migrations.ts";

/** The site of deployment/site.json. */
export interface Target {
  readonly account: Account;
  /** The worker's name in the account. */
  readonly script: string;
  readonly databaseId: string;
}

/** The account that npm run setup chose, or else the one of the environment. */
export function openSiteAccount(env: NodeJS.ProcessEnv = process.env): Promise<Account> {
  const account = readSite(ROOT)?.account;
  return openAccount({ ...(account && { account }), ...readApiSettings(env) });
}

/** Throws before npm run setup. */
export async function openTarget(): Promise<Target & { readonly site: SiteFile }> {
  const site = requireSite(ROOT);
  const account = await openSiteAccount();
  return { account, site, script: deployedName(readDeployedConfig()), databaseId: site.database ?? "" };
}

/** Runs the statements of each call in one transaction. */
export function remoteRunner({ account, databaseId }: Pick<Target, "account" | "databaseId">): RunStatement {
  return (sql, note) => queryDatabase(account, databaseId, note ? `${sql}\n;\n${note}` : sql);
}

export function localRunner(name: string): RunStatement {
  return async (sql, note) => {
    const command = note ? `${sql}\n;\n${note}` : sql;
    const { stdout } = await runWrangler(["d1", "execute", name, "--local", "--yes", "--json", "--command", command]);
    const [result] = JSON.parse(stdout) as { results: Record<string, unknown>[] }[];
    return result?.results ?? [];
  };
}

export interface MigratableDatabase {
  readonly kind: DatabaseKind;
  /** Its name in the account. */
  readonly name: string;
  readonly migrations: readonly NumberedMigration[];
  readonly schema: string;
  readonly run: RunStatement;
}

/** All databases that a configuration binds, the main one last. */
export function listMigratable(
  bound: readonly BoundDatabase[],
  { schema, migrations }: { readonly schema: string; readonly migrations: readonly NumberedMigration[] },
  runnerOf: (database: { readonly name: string; readonly id: string }) => RunStatement,
): MigratableDatabase[] {
  const messages = listMessageDatabases(bound).map(({ name, id }) => ({
    kind: "messages" as const,
    name,
    migrations: migrationsFor("messages", migrations),
    schema: messageSchema(schema),
    run: runnerOf({ name, id }),
  }));
  const [main] = bound;
  if (!main) throw new Error("wrangler.toml names no database");
  const { database_name: name, database_id: id } = main;
  const run = runnerOf({ name, id });
  return [...messages, { kind: "main", name, migrations: migrationsFor("main", migrations), schema, run }];
}
