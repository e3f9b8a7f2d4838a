import { messageDatabases } from "@lambda/worker/message-databases";
import type { TestWorker } from "./worker.ts";

/** Runs a query on the main database and on each message database, and returns the rows of all. */
export async function queryMessageDatabases<Row>(
  worker: TestWorker,
  query: string,
  ...values: unknown[]
): Promise<Row[]> {
  const databases = [worker.env.DB, ...messageDatabases(worker.env).values()];
  const results = await Promise.all(
    databases.map((d1) =>
      d1
        .prepare(query)
        .bind(...values)
        .all<Row>(),
    ),
  );
  return results.flatMap((result) => result.results);
}

/** Returns columns of a message from whichever database stores it, or null if none does. */
export async function findStoredMessage(worker: TestWorker, columns: string, id: number | undefined): Promise<unknown> {
  const rows = await queryMessageDatabases<object>(worker, `select ${columns} from message where id = ?`, id ?? 0);
  return rows[0] ?? null;
}
