import { type Bookmark, newest, ofDatabase, partOf } from "../near/bookmarks.ts";
import type { Start } from "../near/watermarks.ts";
import { isRead } from "./is-read.ts";

/** What both a database and a session of it can do. */
type Source = Pick<D1DatabaseSession, "prepare" | "batch">;

/** How a request asks its databases, all together. */
interface Pace {
  asking: number;
  crossings: number;
  rounds: number;
}

const AT_THE_PRIMARY: Start = { at: "primary" };

/**
 * The database as one request sees it. `near` answers what only reads from a copy near the member, which is as new as the request's
 * start says and as what the request wrote itself; `primary` asks the primary for everything.
 */
export class RequestDatabase {
  readonly near: D1Database;
  readonly primary: D1Database;
  readonly #d1: D1Database;
  readonly #number: number;
  readonly #start: Start;
  /** Message databases that the same request asks, by their numbers. */
  readonly #beside = new Map<number, RequestDatabase>();
  readonly #pace: Pace;
  #wrote: Bookmark | null = null;
  #seen: Bookmark | null = null;
  #replica: D1DatabaseSession | undefined;

  /** @param start the state of all databases; `number` says which of them this one is, 0 being the main one */
  constructor(d1: D1Database, start: Start, number = 0, pace: Pace = { asking: 0, crossings: 0, rounds: 0 }) {
    this.#d1 = d1;
    this.#number = number;
    this.#start = start;
    this.#pace = pace;
    if (start.at === "replica") this.#startFrom(start.bookmark);
    this.near = this.#view(true);
    this.primary = this.#view(false);
  }

  /** How often a primary was asked. */
  get crossings(): number {
    return this.#pace.crossings;
  }

  /** How often something was asked while no other answer was awaited: round trips one after the other. */
  get rounds(): number {
    return this.#pace.rounds;
  }

  /** The state after the last writes of this request, in each database that it wrote to. */
  get wrote(): Bookmark | null {
    return this.#all((database) => database.#wrote);
  }

  /** The newest state in which the primaries answered. */
  get seen(): Bookmark | null {
    return this.#all((database) => database.#seen);
  }

  /** A message database for the same request. Of one whose state is not known the primary is asked. */
  beside(number: number, d1: D1Database): RequestDatabase {
    const known = this.#beside.get(number);
    if (known) return known;
    const opened = new RequestDatabase(d1, this.readsReplica ? this.#start : AT_THE_PRIMARY, number, this.#pace);
    this.#beside.set(number, opened);
    return opened;
  }

  #all(stateOf: (database: RequestDatabase) => Bookmark | null): Bookmark | null {
    return [...this.#beside.values()].map(stateOf).reduce(newest, stateOf(this));
  }

  get readsReplica(): boolean {
    return this.#replica !== undefined;
  }

  /** From here on everything is asked of the primary. */
  leaveReplica(): void {
    this.#replica = undefined;
    for (const database of this.#beside.values()) database.leaveReplica();
  }

  /** The same for one message database; answers whether a copy was read until now. */
  leaveReplicaOf(number: number): boolean {
    const database = this.#beside.get(number);
    const was = database?.readsReplica ?? false;
    database?.leaveReplica();
    return was;
  }

  #startFrom(state: Bookmark | null): void {
    const bookmark = partOf(state, this.#number);
    if (bookmark !== null || this.#number === 0) this.#readFrom(bookmark);
  }

  #readFrom(bookmark: string | null): void {
    this.#replica = this.#d1.withSession(bookmark ?? "first-unconstrained");
  }

  #view(near: boolean): D1Database {
    const ask = async <Result>(queries: readonly string[], act: (source: Source) => Promise<Result>) => {
      const pace = this.#pace;
      if (pace.asking === 0) pace.rounds += 1;
      pace.asking += 1;
      try {
        return await this.#ask(near, queries, act);
      } finally {
        pace.asking -= 1;
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
    this.#pace.crossings += 1;
    // A session's later statements may go to a replica; the first one of each does not.
    const session = this.#d1.withSession("first-primary");
    const result = await act(session);
    this.#seen = newest(this.#seen, ofDatabase(session.getBookmark(), this.#number));
    if (!reads) this.#remember(session.getBookmark());
    return result;
  }

  #remember(bookmark: string | null): void {
    this.#wrote = newest(this.#wrote, ofDatabase(bookmark, this.#number));
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
