export interface BenchOptions {
  /** Members in the database; each bench has its own default. */
  readonly members: number | undefined;
  readonly queries: number | undefined;
  /** `mutation` skips this many guards of its sample, which an earlier run tried. Default 0. */
  readonly skip: number | undefined;
  readonly requests: number | undefined;
  /** Comma-separated parts of names, to which `attacks` is restricted. */
  readonly only: string | undefined;
}
