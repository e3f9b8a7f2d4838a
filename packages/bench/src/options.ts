export interface BenchOptions {
  /** Members in the database; each bench has its own default. */
  readonly members: number | undefined;
  readonly queries: number | undefined;
  readonly requests: number | undefined;
  /** Parts of names, with commas between: `attacks` runs these alone. */
  readonly only: string | undefined;
}
