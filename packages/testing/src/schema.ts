/** The tables of schema.sql, for sites and workers that tests start. */
import { readFileSync } from "node:fs";
import { unstable_splitSqlQuery } from "wrangler";
import { listMessageDatabases, messageSchema } from "./message-databases.ts";
import { ROOT } from "./site.ts";
import type { RunSql } from "./sql.ts";
import { readWranglerConfig } from "./wrangler-config.ts";

/** Creates the tables of the main database and of the message databases with these numbers. */
export async function createTables(run: RunSql, messageDatabases: readonly number[] = []): Promise<void> {
  await run(
    ...schemaStatements().map((query) => ({ query })),
    ...messageDatabases.flatMap((database) => messageStatements().map((query) => ({ query, database }))),
  );
}

/** Returns the numbers of the message databases of wrangler.toml. */
export const configuredMessageDatabases = (): number[] =>
  listMessageDatabases(readWranglerConfig(ROOT).d1_databases).map(({ number }) => number);

/** Returns the statements of schema.sql, each on one line. */
export function schemaStatements(): string[] {
  return unstable_splitSqlQuery(readFileSync(`${ROOT}schema.sql`, "utf8")).map(oneLine);
}

/** Returns the statements of the schema of a message database, each on one line. */
export function messageStatements(): string[] {
  return unstable_splitSqlQuery(messageSchema(readFileSync(`${ROOT}schema.sql`, "utf8"))).map(oneLine);
}

export const oneLine = (statement: string) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ");
