/** A statement with its values, as the worker's /dev/sql endpoint accepts it. */
export interface Statement {
  readonly query: string;
  readonly values?: readonly (string | number | null)[];
  /** The number of a message database; the main database by default. */
  readonly database?: number;
}

export type Row = Record<string, unknown>;

/** Runs statements and returns the rows of each. The statements of one database are one transaction. */
export type RunSql = (...statements: Statement[]) => Promise<Row[][]>;
