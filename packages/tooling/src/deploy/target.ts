/** The deployed database, reached by the platform's API: a call a statement, where wrangler would start anew for each. */
import { type BoundDatabase, listMessageDatabases, messageSchema } from "@lambda/testing/message-databases";
import { wrangler } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { type Account, openAccount, settingsOf } from "../account/client.ts";
import { queryDatabase } from "../account/resources.ts";
import type { RunStatement } from "../migration.ts";
import {
  describeObjects,
  describeSchema,
  differencesBetween,
  OBJECTS,
  type SchemaObject,
} from "../schema-differences.ts";
import { type DatabaseKind, migrationsFor, type NumberedMigration } from "./numbered-migrations.ts";

/** Of `[env.production]` in wrangler.toml. */
export interface Target {
  readonly account: Account;
  /** The worker's name in the account. */
  readonly script: string;
  readonly databaseId: string;
}

export async function openTarget(env: NodeJS.ProcessEnv = process.env): Promise<Target> {
  const config = readWranglerConfig();
  const account = await openAccount(settingsOf(env));
  return {
    account,
    script: `${config.name}-production`,
    databaseId: config.env.production.d1_databases[0].database_id,
  };
}

/** Statements of one call are one transaction. */
export function remoteRunner({ account, databaseId }: Pick<Target, "account" | "databaseId">): RunStatement {
  return (sql, note) => queryDatabase(account, databaseId, note ? `${sql}\n;\n${note}` : sql);
}

/** The same on a database of the local site. */
export function localRunner(name: string): RunStatement {
  return async (sql, note) => {
    const command = note ? `${sql}\n;\n${note}` : sql;
    const answer = wrangler(["d1", "execute", name, "--local", "--yes", "--json", "--command", command]);
    const [result] = JSON.parse(answer) as { results: Record<string, unknown>[] }[];
    return result?.results ?? [];
  };
}

/** A database with what belongs into it. */
export interface Migratable {
  readonly kind: DatabaseKind;
  /** As an operator calls it. */
  readonly name: string;
  readonly migrations: readonly NumberedMigration[];
  readonly schema: string;
  readonly run: RunStatement;
}

/** All databases that a configuration binds, the main one last: what reads new columns of others is there first. */
export function listMigratable(
  bound: readonly BoundDatabase[],
  { schema, migrations }: { readonly schema: string; readonly migrations: readonly NumberedMigration[] },
  runnerOf: (database: { readonly name: string; readonly id: string }) => RunStatement,
): Migratable[] {
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

/** Names of what the database has otherwise than schema.sql says, and of what it lacks. */
export async function listSchemaDifferences(run: RunStatement, schema: string): Promise<string[]> {
  const objects = (await run(OBJECTS)) as unknown as SchemaObject[];
  return differencesBetween(describeObjects(objects), describeSchema(schema));
}
