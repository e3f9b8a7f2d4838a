/** How kysely runs queries on D1. */
import { type Dialect, type LimitNode, SqliteAdapter, SqliteQueryCompiler, ValueNode } from "kysely";
import { D1Dialect } from "kysely-d1";
import { isRead } from "./is-read.ts";

/** For SQLite kysely queues queries on a single connection; D1 runs them concurrently. */
class D1Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** SQLite plans by the value of a bound limit, and so would compile the statement anew at each call. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append("limit ");
    if (ValueNode.is(limit)) this.appendImmediateValue(limit.value);
    else this.visitNode(limit);
  }
}

/** One for all requests: it compiles synchronously, and making one takes longer than most queries take it. */
const compiler = new LiteralLimitCompiler();

class ConcurrentD1Dialect extends D1Dialect {
  override createAdapter(): D1Adapter {
    return new D1Adapter();
  }

  override createQueryCompiler(): LiteralLimitCompiler {
    return compiler;
  }
}

/** Concurrent reads share a round trip. */
export function createDialect(d1: D1Database): Dialect {
  const reads = new ReadBatcher(d1);
  // The dialect uses nothing else of a database.
  const database = { prepare: (query: string) => reads.prepare(query) } as D1Database;
  return new ConcurrentD1Dialect({ database });
}

interface PendingRead {
  readonly statement: D1PreparedStatement;
  readonly resolve: (result: D1Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Microtasks for which the first read waits for others: concurrent calls, such as a batch's nine, reach their reads within two. A timer would
 * take 1.2 ms in workerd, a hundred turns 0.02 ms.
 */
const MICROTASK_TURNS = 20;

/**
 * Collects concurrent reads, such as those of a batched request's calls, and sends them as one D1 batch: one round trip against one
 * state of the database. Writes are sent immediately and separately.
 */
class ReadBatcher {
  readonly #d1: D1Database;
  #pending: PendingRead[] = [];

  constructor(d1: D1Database) {
    this.#d1 = d1;
  }

  prepare(query: string): D1PreparedStatement {
    const statement = this.#d1.prepare(query);
    const bind = (...values: unknown[]) => {
      const bound = statement.bind(...values);
      return { all: () => (isRead(query) ? this.#enqueue(bound) : bound.all()) };
    };
    return { bind } as D1PreparedStatement;
  }

  #enqueue(statement: D1PreparedStatement): Promise<D1Result> {
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) void this.#flush();
      this.#pending.push({ statement, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    for (let turn = 0; turn < MICROTASK_TURNS; turn += 1) await null;
    const pending = this.#pending;
    this.#pending = [];
    const [first] = pending;
    if (pending.length === 1 && first) {
      first.statement.all().then(first.resolve, first.reject);
      return;
    }
    try {
      const results = await this.#d1.batch(pending.map(({ statement }) => statement));
      for (const [index, { resolve }] of pending.entries()) resolve(results[index] as D1Result);
    } catch {
      // Runs them one by one, so that only the faulty read fails.
      for (const { statement, resolve, reject } of pending) statement.all().then(resolve, reject);
    }
  }
}
