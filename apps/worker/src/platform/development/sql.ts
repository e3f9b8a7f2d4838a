import type { Env } from "../env.ts";
import { AppError } from "../errors.ts";

/**
 * Development only, and only without an Origin: no page in a browser can reach it. Takes one query
 * `{ query, values }`, or many `{ batch: [{ query, values }] }`, which run as one transaction.
 */
export async function runDevelopmentSql(request: Request, env: Env, onWritten: () => Promise<void>): Promise<Response> {
  if (request.headers.has("origin")) throw new AppError("FOREIGN_ORIGIN");
  const body = await request.json<Query & { batch?: Query[] }>();
  try {
    const answer = await runQueries(body, env);
    const queries = body.batch ?? [body];
    if (queries.some(({ query }) => !/^\s*(select|explain)\b/i.test(query))) await onWritten();
    return Response.json(answer);
  } catch (error) {
    // What the database says of a statement is what its author wants to know.
    return new Response(String(error), { status: 400 });
  }
}

async function runQueries(body: Query & { batch?: Query[] }, env: Env): Promise<unknown[]> {
  const prepare = ({ query, values }: Query) => env.DB.prepare(query).bind(...(values ?? []));
  if (body.batch) return (await env.DB.batch(body.batch.map(prepare))).map((result) => result.results);
  return (await prepare(body).all()).results;
}

interface Query {
  readonly query: string;
  readonly values?: (string | number | null)[];
}
