/** A statement with its values, as the development door of the worker takes it. */
export interface Statement {
  readonly query: string;
  readonly values?: readonly (string | number | null)[];
  /** The number of a message database; the main one where it is left out. */
  readonly database?: number;
}

export type Row = Record<string, unknown>;

/** Runs statements as one transaction in each database and answers the rows of each: on a site over HTTP, on D1, or on node:sqlite. */
export type RunSql = (...statements: Statement[]) => Promise<Row[][]>;
