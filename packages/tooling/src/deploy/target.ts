/** The deployed database, reached by the platform's API: a call a statement, where wrangler would start anew for each. */
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

/** The same on the local site's database. */
export async function localRunner(...[sql, note]: Parameters<RunStatement>): ReturnType<RunStatement> {
  const command = note ? `${sql}\n;\n${note}` : sql;
  const answer = wrangler(["d1", "execute", "lambda", "--local", "--yes", "--json", "--command", command]);
  const [result] = JSON.parse(answer) as { results: Record<string, unknown>[] }[];
  return result?.results ?? [];
}

/** Names of what the database has otherwise than schema.sql says, and of what it lacks. */
export async function listSchemaDifferences(run: RunStatement, schema: string): Promise<string[]> {
  const objects = (await run(OBJECTS)) as unknown as SchemaObject[];
  return differencesBetween(describeObjects(objects), describeSchema(schema));
}
