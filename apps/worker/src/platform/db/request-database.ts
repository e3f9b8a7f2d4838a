import { type Bookmark, newest } from "../near/bookmarks.ts";
import type { Start } from "../near/watermarks.ts";

/** What both a database and a session of it can do. */
type Source = Pick<D1DatabaseSession, "prepare" | "batch">;

const READS = /^\s*(select|with)\b/i;
const WRITES = /\b(insert\s+(or\s+\w+\s+)?into|update\s+["\w]|delete\s+from|replace\s+into)\b/i;

/** Whatever might write counts as a write: it goes to the primary, at the cost of time alone. */
const isRead = (query: string) => READS.test(query) && !WRITES.test(query);

/**
 * The database as one request sees it. `near` answers what only reads from a copy near the member, which is as new as the request's
 * start says and as what the request wrote itself; `primary` asks the primary for everything.
 */
export class RequestDatabase {
  readonly near: D1Database;
  readonly primary: D1Database;
  /** How often the primary was asked. */
  crossings = 0;
  /** How often something was asked while no other answer was awaited: round trips one after the other. */
  rounds = 0;
  /** The state after the last write of this request. */
  wrote: Bookmark | null = null;
  /** The newest state in which the primary answered. */
  seen: Bookmark | null = null;
  readonly #d1: D1Database;
  #asking = 0;
  #replica: D1DatabaseSession | undefined;

  constructor(d1: D1Database, start: Start) {
    this.#d1 = d1;
    if (start.at === "replica") this.#readFrom(start.bookmark);
    this.near = this.#view(true);
    this.primary = this.#view(false);
  }

  get readsReplica(): boolean {
    return this.#replica !== undefined;
  }

  /** From here on everything is asked of the primary. */
  leaveReplica(): void {
    this.#replica = undefined;
  }

  #readFrom(bookmark: Bookmark | null): void {
    this.#replica = this.#d1.withSession(bookmark ?? "first-unconstrained");
  }

  #view(near: boolean): D1Database {
    const ask = async <Result>(queries: readonly string[], act: (source: Source) => Promise<Result>) => {
      if (this.#asking === 0) this.rounds += 1;
      this.#asking += 1;
      try {
        return await this.#ask(near, queries, act);
      } finally {
        this.#asking -= 1;
      }
    };
    return {
      prepare: (query: string) => new RoutedStatement(ask, query, []),
      batch: <Row>(statements: D1PreparedStatement[]) => {
        const routed = statements.map(routedOf);
        const queries = routed.map(({ query }) => query);
        return ask(queries, (source) => source.batch<Row>(routed.map((statement) => statement.on(source))));
      },
      exec: (query: string) => this.#d1.exec(query),
      dump: () => this.#d1.dump(),
      withSession: (start?: D1SessionBookmark | D1SessionConstraint) => this.#d1.withSession(start),
    };
  }

  async #ask<Result>(
    near: boolean,
    queries: readonly string[],
    act: (source: Source) => Promise<Result>,
  ): Promise<Result> {
    const reads = queries.every(isRead);
    if (near && reads && this.#replica) return act(this.#replica);
    this.crossings += 1;
    // A session's later statements may go to a replica; the first one of each does not.
    const session = this.#d1.withSession("first-primary");
    const result = await act(session);
    this.seen = newest(this.seen, session.getBookmark());
    if (!reads) this.#remember(session.getBookmark());
    return result;
  }

  #remember(bookmark: Bookmark | null): void {
    this.wrote = newest(this.wrote, bookmark);
    if (this.#replica) this.#readFrom(newest(this.#replica.getBookmark(), bookmark));
  }
}

type Ask = <Result>(queries: readonly string[], act: (source: Source) => Promise<Result>) => Promise<Result>;

/** A statement that is sent where it belongs when it runs. */
class RoutedStatement implements D1PreparedStatement {
  readonly #ask: Ask;
  readonly query: string;
  readonly #values: readonly unknown[];

  constructor(ask: Ask, query: string, values: readonly unknown[]) {
    this.#ask = ask;
    this.query = query;
    this.#values = values;
  }

  on(source: Source): D1PreparedStatement {
    return source.prepare(this.query).bind(...this.#values);
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new RoutedStatement(this.#ask, this.query, values);
  }

  #run<Result>(act: (statement: D1PreparedStatement) => Promise<Result>): Promise<Result> {
    return this.#ask([this.query], (source) => act(this.on(source)));
  }

  first<Value = unknown>(column: string): Promise<Value | null>;
  first<Row = Record<string, unknown>>(): Promise<Row | null>;
  first(column?: string): Promise<unknown> {
    return this.#run((statement) => (column === undefined ? statement.first() : statement.first(column)));
  }

  run<Row = Record<string, unknown>>(): Promise<D1Result<Row>> {
    return this.#run((statement) => statement.run<Row>());
  }

  all<Row = Record<string, unknown>>(): Promise<D1Result<Row>> {
    return this.#run((statement) => statement.all<Row>());
  }

  raw<Row = unknown[]>(options: { columnNames: true }): Promise<[string[], ...Row[]]>;
  raw<Row = unknown[]>(options?: { columnNames?: false }): Promise<Row[]>;
  raw(options?: { columnNames?: boolean }): Promise<unknown> {
    return this.#run<unknown>((statement) =>
      options?.columnNames ? statement.raw({ columnNames: true }) : statement.raw(),
    );
  }
}

function routedOf(statement: D1PreparedStatement): RoutedStatement {
  if (statement instanceof RoutedStatement) return statement;
  throw new TypeError("a statement of another database");
}
