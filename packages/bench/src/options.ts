export interface BenchOptions {
  /** Members in the database; each bench has its own default. */
  readonly members: number | undefined;
  readonly queries: number | undefined;
  /** So many guards of its sample `mutation` leaves out, since an earlier run tried them; none if it is not said. */
  readonly skip: number | undefined;
  readonly requests: number | undefined;
  /** How long `open-page` leaves each screen alone. */
  readonly minutes: number | undefined;
  /** Parts of names, with commas between: `attacks`, `far-from-home` and `open-page` run these alone. */
  readonly only: string | undefined;
  /** Databases for messages beside the main one, in `far-from-home`; none if it is not said. */
  readonly databases: number | undefined;
}
