/**
 * Simulates a primary and a lagging replica with two local databases. The replica changes only when it is
 * synced; a session that requires a newer state reads from the primary, as if it had waited for the replica.
 */

export interface ReplicaSettings {
  /** Round-trip time to the replica. */
  replicaMs: number;
  /** `stale`: the watermark is so old that every read accepts the replica. `down`: every request to it fails. */
  watermark: "up" | "stale" | "down";
  /** `current`: the replica returns what the primary would, for comparison. */
  replica: "lags" | "current";
}

export interface RequestCounts {
  primary: number;
  replica: number;
  /** Reads for which the replica was too old. */
  waits: number;
  watermark: number;
}

const SETTINGS: ReplicaSettings = { replicaMs: 0, watermark: "up", replica: "lags" };

/** Shared by the worker and its Durable Objects, which run in one isolate. */
export const simulation = {
  settings: { ...SETTINGS },
  counts: { primary: 0, replica: 0, waits: 0, watermark: 0 } satisfies RequestCounts as RequestCounts,
};

/** Versions count the writes to a primary. */
interface Versions {
  primary: number;
  replica: number;
}

/** By binding. */
const versions = new Map<string, Versions>();

function versionsOf(binding: string): Versions {
  const version = versions.get(binding) ?? { primary: 0, replica: 0 };
  versions.set(binding, version);
  return version;
}

export const toBookmark = (version: number) => version.toString(16).padStart(16, "0");
export const replicaBookmark = (binding: string) => toBookmark(versionsOf(binding).replica);

const isWrite = (query: string) => !/^\s*(select|with)\b/i.test(query) || /\b(insert|update|delete)\s/i.test(query);

type Source = Pick<D1Database, "prepare" | "batch">;
type Execute<Result> = (source: Source) => Promise<Result>;
type RunQueries = <Result>(queries: readonly string[], execute: Execute<Result>) => Promise<Result>;

export function createReplicatedDatabase(primary: D1Database, replica: D1Database, binding: string): D1Database {
  const state = versionsOf(binding);
  const runOnPrimary: RunQueries = async (queries, execute) => {
    simulation.counts.primary += 1;
    const result = await execute(primary);
    if (queries.some(isWrite)) state.primary += 1;
    return result;
  };
  const session = (start: string): D1DatabaseSession => {
    let bookmark: string | null = /^first-/.test(start) ? null : start;
    const run: RunQueries = async (queries, execute) => {
      if (queries.some(isWrite) || (start === "first-primary" && bookmark === null)) {
        const result = await runOnPrimary(queries, execute);
        bookmark = toBookmark(state.primary);
        return result;
      }
      simulation.counts.replica += 1;
      const { replicaMs } = simulation.settings;
      if (replicaMs > 0) await new Promise((resolve) => setTimeout(resolve, replicaMs));
      const isNewEnough = bookmark === null || bookmark <= toBookmark(state.replica);
      if (!isNewEnough) simulation.counts.waits += 1;
      if (!isNewEnough || simulation.settings.replica === "current") return execute(primary);
      bookmark = toBookmark(state.replica);
      return execute(replica);
    };
    return { ...createSource(run), getBookmark: () => bookmark };
  };
  return {
    ...createSource(runOnPrimary),
    exec: (query: string) => primary.exec(query),
    dump: () => primary.dump(),
    withSession: (start = "first-unconstrained") => session(start),
  };
}

/** Prepares statements and batches that `runQueries` executes on the database it chooses. */
function createSource(runQueries: RunQueries): Source {
  const calls = new WeakMap<object, { query: string; values: unknown[] }>();
  const prepare = (query: string, values: unknown[] = []): D1PreparedStatement => {
    const run = <Result>(execute: (statement: D1PreparedStatement) => Promise<Result>) =>
      runQueries([query], (source) => execute(source.prepare(query).bind(...values)));
    const statement = {
      bind: (...next: unknown[]) => prepare(query, next),
      all: () => run((real) => real.all()),
      run: () => run((real) => real.run()),
      first: (column?: string) => run<unknown>((real) => (column === undefined ? real.first() : real.first(column))),
      raw: () => run((real) => real.raw()),
    } as D1PreparedStatement;
    calls.set(statement, { query, values });
    return statement;
  };
  return {
    prepare: (query: string) => prepare(query),
    batch: <Row>(statements: D1PreparedStatement[]) => {
      const batch = statements.map((statement) => calls.get(statement)!);
      const queries = batch.map(({ query }) => query);
      return runQueries(queries, (source) =>
        source.batch<Row>(batch.map(({ query, values }) => source.prepare(query).bind(...values))),
      );
    },
  };
}

const STATEMENT_CHARACTERS_MAX = 50_000;
/** References are dropped because tables are copied in any order, triggers because the rows they add are copied. */
const REFERENCE = /\s+REFERENCES\s+\w+\s*\(\w+\)(\s+ON\s+(DELETE|UPDATE)\s+(CASCADE|SET NULL))?/gi;

/** Copies the primary into the replica. */
export async function syncReplica(primary: D1Database, replica: D1Database, binding: string): Promise<void> {
  const state = versionsOf(binding);
  const version = state.primary;
  const schema = await primary
    .prepare("select type, name, sql from sqlite_master where sql is not null and name not like '_cf_%'")
    .all<{ type: string; name: string; sql: string }>();
  const schemaObjects = schema.results.filter(({ type, name }) => type !== "trigger" && !name.startsWith("sqlite_"));
  const tables = schemaObjects.filter(({ type }) => type === "table").map(({ name }) => name);
  const hasTables = await replica
    .prepare("select count(*) as n from sqlite_master where name = 'message_pair'")
    .first<number>("n");
  if (!hasTables) {
    const created = ["table", "view", "index"].flatMap((type) => schemaObjects.filter((item) => item.type === type));
    await replica.batch(created.map(({ sql }) => replica.prepare(sql.replace(REFERENCE, ""))));
  }
  const columns = await primary.batch<{ name: string }>(
    tables.map((table) => primary.prepare("select name from pragma_table_xinfo(?) where hidden = 0").bind(table)),
  );
  const names = columns.map(({ results }) => results.map(({ name }) => `"${name}"`).join(", "));
  const rows = await primary.batch<Record<string, unknown>>(
    tables.map((table, index) => primary.prepare(`select ${names[index]} from "${table}"`)),
  );
  const statements = tables.flatMap((table, index) => [
    `delete from "${table}"`,
    ...insertStatements(`insert into "${table}" (${names[index]}) values `, rows[index]?.results ?? []),
  ]);
  await replica.batch(statements.map((statement) => replica.prepare(statement)));
  state.replica = version;
}

function insertStatements(head: string, rows: readonly Record<string, unknown>[]): string[] {
  const statements: string[] = [];
  let values: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = `(${Object.values(row).map(toSqlLiteral).join(", ")})`;
    if (length + text.length > STATEMENT_CHARACTERS_MAX) {
      statements.push(head + values.join(", "));
      [values, length] = [[], 0];
    }
    values.push(text);
    length += text.length;
  }
  return values.length > 0 ? [...statements, head + values.join(", ")] : statements;
}

function toSqlLiteral(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  const bytes = Array.from(value as Iterable<number>, (byte) => byte.toString(16).padStart(2, "0"));
  return `x'${bytes.join("")}'`;
}
