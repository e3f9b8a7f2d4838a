import { messageDatabases } from "@lambda/worker/message-databases";
import type { TestWorker } from "./worker.ts";

/** Asks each database that may have messages; answers the rows of all. */
export async function askMessages<Row>(worker: TestWorker, query: string, ...values: unknown[]): Promise<Row[]> {
  const databases = [worker.env.DB, ...messageDatabases(worker.env).values()];
  const answers = await Promise.all(
    databases.map((d1) =>
      d1
        .prepare(query)
        .bind(...values)
        .all<Row>(),
    ),
  );
  return answers.flatMap(({ results }) => results);
}

/** Some columns of one message, wherever it is; null when it is nowhere. */
export async function findStoredMessage(worker: TestWorker, columns: string, id: number | undefined): Promise<unknown> {
  const rows = await askMessages<object>(worker, `select ${columns} from message where id = ?`, id ?? 0);
  return rows[0] ?? null;
}
