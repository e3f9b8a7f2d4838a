import { type Env, messageDatabases } from "../env.ts";
import { AppError } from "../errors.ts";

/**
 * Development only, and only without an Origin header, so that no web page can call it. Accepts one query `{ query, values, database }` or
 * `{ batch: [...] }`, where queries of one database (a number, by default the main one) run as one transaction. A header has the rows that each
 * read.
 */
export async function runDevelopmentSql(request: Request, env: Env, onWrite: () => Promise<void>): Promise<Response> {
  if (request.headers.has("origin")) throw new AppError("FOREIGN_ORIGIN");
  const body = await request.json<Query & { batch?: Query[] }>();
  try {
    const { results, rowsRead } = await runQueries(body, env);
    const queries = body.batch ?? [body];
    if (queries.some(({ query }) => !/^\s*(select|explain)\b/i.test(query))) await onWrite();
    return Response.json(results, { headers: { "x-d1-rows-read": JSON.stringify(rowsRead) } });
  } catch (error) {
    // The caller wants the database's error message.
    return new Response(String(error), { status: 400 });
  }
}

async function runQueries(body: Query & { batch?: Query[] }, env: Env) {
  if (!body.batch) {
    const { results, meta } = await statementOn(databaseOf(body, env), body).all();
    return { results, rowsRead: [meta.rows_read] };
  }
  const allResults: unknown[] = [];
  const rowsRead: number[] = [];
  for (const number of new Set(body.batch.map(({ database = 0 }) => database))) {
    const own = [...body.batch.entries()].filter(([, { database = 0 }]) => database === number);
    const d1 = databaseOf({ database: number }, env);
    const results = await d1.batch(own.map(([, query]) => statementOn(d1, query)));
    for (const [index, [position]] of own.entries()) {
      allResults[position] = results[index]?.results;
      rowsRead[position] = results[index]?.meta.rows_read ?? 0;
    }
  }
  return { results: allResults, rowsRead };
}

const statementOn = (d1: D1Database, { query, values = [] }: Query) => d1.prepare(query).bind(...values);

function databaseOf({ database = 0 }: Pick<Query, "database">, env: Env): D1Database {
  const d1 = database === 0 ? env.DB : messageDatabases(env).get(database);
  if (!d1) throw new Error(`no message database ${database}`);
  return d1;
}

interface Query {
  readonly query: string;
  readonly values?: (string | number | null)[];
  readonly database?: number;
}
