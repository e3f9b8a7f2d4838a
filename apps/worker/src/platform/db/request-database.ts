import { type Bookmark, bookmarkPart, newest, toBookmark } from "../replication/bookmarks.ts";
import type { ReadSource } from "../replication/watermarks.ts";
import { isRead } from "./is-read.ts";

/** What a database and a session of it have in common. */
type Connection = Pick<D1DatabaseSession, "prepare" | "batch">;

/** Counts of a request's round trips to all its databases. */
interface RoundTrips {
  inFlight: number;
  crossings: number;
  rounds: number;
}

const PRIMARY: ReadSource = { at: "primary" };

/**
 * The databases of one request. `nearby` sends reads to a replica near the member that is as new as the request's read source requires
 * and includes the request's own writes; `primary` sends everything to the primary.
 */
export class RequestDatabase {
  readonly nearby: D1Database;
  readonly primary: D1Database;
  readonly #d1: D1Database;
  readonly #number: number;
  readonly #source: ReadSource;
  /** Message databases that the same request uses, by number. */
  readonly #messageDatabases = new Map<number, RequestDatabase>();
  readonly #roundTrips: RoundTrips;
  #written: Bookmark | null = null;
  #seen: Bookmark | null = null;
  #replicaSession: D1DatabaseSession | undefined;

  /** @param number which database this is; 0 is the main one */
  constructor(
    d1: D1Database,
    source: ReadSource,
    number = 0,
    roundTrips: RoundTrips = { inFlight: 0, crossings: 0, rounds: 0 },
  ) {
    this.#d1 = d1;
    this.#number = number;
    this.#source = source;
    this.#roundTrips = roundTrips;
    if (source.at === "nearby") this.#readFromState(source.bookmark);
    this.nearby = this.#view(true);
    this.primary = this.#view(false);
  }

  /** Round trips to a primary database. */
  get crossings(): number {
    return this.#roundTrips.crossings;
  }

  /** Sequential round trips: concurrent ones count as one. */
  get rounds(): number {
    return this.#roundTrips.rounds;
  }

  /** The state after this request's last writes, in each database that it wrote to. */
  get writtenBookmark(): Bookmark | null {
    return this.#newestOf((database) => database.#written);
  }

  /** The newest state that the primaries returned. */
  get seenBookmark(): Bookmark | null {
    return this.#newestOf((database) => database.#seen);
  }

  /** A message database for the same request; read from its primary if its required state is unknown. */
  messageDatabase(number: number, d1: D1Database): RequestDatabase {
    const known = this.#messageDatabases.get(number);
    if (known) return known;
    const opened = new RequestDatabase(d1, this.readsReplica ? this.#source : PRIMARY, number, this.#roundTrips);
    this.#messageDatabases.set(number, opened);
    return opened;
  }

  #newestOf(stateOf: (database: RequestDatabase) => Bookmark | null): Bookmark | null {
    return [...this.#messageDatabases.values()].map(stateOf).reduce(newest, stateOf(this));
  }

  get readsReplica(): boolean {
    return this.#replicaSession !== undefined;
  }

  switchToPrimary(): void {
    this.#replicaSession = undefined;
    for (const database of this.#messageDatabases.values()) database.switchToPrimary();
  }

  /** The same for one message database; returns whether a replica was read until now. */
  switchMessagesToPrimary(number: number): boolean {
    const database = this.#messageDatabases.get(number);
    const readReplica = database?.readsReplica ?? false;
    database?.switchToPrimary();
    return readReplica;
  }

  #readFromState(state: Bookmark | null): void {
    const bookmark = bookmarkPart(state, this.#number);
    if (bookmark !== null || this.#number === 0) this.#openReplica(bookmark);
  }

  #openReplica(bookmark: string | null): void {
    this.#replicaSession = this.#d1.withSession(bookmark ?? "first-unconstrained");
  }

  #view(readsReplica: boolean): D1Database {
    const send: Send = async (queries, run) => {
      const roundTrips = this.#roundTrips;
      if (roundTrips.inFlight === 0) roundTrips.rounds += 1;
      roundTrips.inFlight += 1;
      try {
        return await this.#send(readsReplica, queries, run);
      } finally {
        roundTrips.inFlight -= 1;
      }
    };
    const view = {
      prepare: (query: string) => new RoutedStatement(send, query, []),
      batch: (statements: readonly RoutedStatement[]) =>
        send(
          statements.map(({ query }) => query),
          (connection) => connection.batch(statements.map((statement) => statement.on(connection))),
        ),
    };
    return view as unknown as D1Database;
  }

  async #send<Result>(
    readsReplica: boolean,
    queries: readonly string[],
    run: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const isReadOnly = queries.every(isRead);
    if (readsReplica && isReadOnly && this.#replicaSession) return run(this.#replicaSession);
    this.#roundTrips.crossings += 1;
    // Opens a new session each time: only its first query is sure to go to the primary.
    const session = this.#d1.withSession("first-primary");
    const result = await run(session);
    this.#seen = newest(this.#seen, toBookmark(session.getBookmark(), this.#number));
    if (!isReadOnly) this.#recordWrite(session.getBookmark());
    return result;
  }

  #recordWrite(bookmark: string | null): void {
    this.#written = newest(this.#written, toBookmark(bookmark, this.#number));
    if (this.#replicaSession) this.#openReplica(newest(this.#replicaSession.getBookmark(), bookmark));
  }
}

type Send = <Result>(queries: readonly string[], run: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** A statement that chooses its database session when it runs, with those methods alone that kysely and `batch` call. */
class RoutedStatement {
  readonly #send: Send;
  readonly query: string;
  readonly #values: readonly unknown[];

  constructor(send: Send, query: string, values: readonly unknown[]) {
    this.#send = send;
    this.query = query;
    this.#values = values;
  }

  on(connection: Connection): D1PreparedStatement {
    return connection.prepare(this.query).bind(...this.#values);
  }

  bind(...values: unknown[]): RoutedStatement {
    return new RoutedStatement(this.#send, this.query, values);
  }

  all(): Promise<D1Result> {
    return this.#send([this.query], (connection) => this.on(connection).all());
  }
}
