/**
 * A primary database far away and a replica near by, over two databases of this machine. The replica is a copy that stays as it is until
 * it is told to catch up; a session that asks for a newer state is answered by the primary's, as by a replica that it waited for.
 */

export interface FarSettings {
  /** Round trips to the primary, to the replica and to the watermark near by. */
  primaryMs: number;
  replicaMs: number;
  watermarkMs: number;
  /** deaf: every read takes what the replica has. down: no watermark answers. untold: none hears of a write. */
  watermark: "up" | "deaf" | "down" | "untold";
  /** What the replica would say is what the primary says: for comparing. */
  replica: "lags" | "follows";
}

export interface FarCounts {
  primary: number;
  replica: number;
  /** Reads for which the replica was too old. */
  waits: number;
  watermark: number;
}

const SETTINGS: FarSettings = { primaryMs: 0, replicaMs: 0, watermarkMs: 0, watermark: "up", replica: "lags" };

/** One of each for the worker and its objects, which share an isolate. */
export const far = {
  settings: { ...SETTINGS },
  counts: { primary: 0, replica: 0, waits: 0, watermark: 0 } satisfies FarCounts as FarCounts,
};

/** How often a primary was written to, and how much of that its replica has. */
interface Versions {
  written: number;
  reached: number;
}

/** By the databases' bindings. */
const versions = new Map<string, Versions>();

function versionsOf(binding: string): Versions {
  const known = versions.get(binding) ?? { written: 0, reached: 0 };
  versions.set(binding, known);
  return known;
}

export const bookmarkOf = (version: number) => version.toString(16).padStart(16, "0");
export const reachedBookmark = (binding: string) => bookmarkOf(versionsOf(binding).reached);

const isWrite = (query: string) => !/^\s*(select|with)\b/i.test(query) || /\b(insert|update|delete)\s/i.test(query);

export async function sleep(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

type Source = Pick<D1Database, "prepare" | "batch">;
type Act<Result> = (source: Source) => Promise<Result>;
type Ask = <Result>(queries: readonly string[], act: Act<Result>) => Promise<Result>;

export function farDatabase(primary: D1Database, replica: D1Database, binding: string): D1Database {
  const state = versionsOf(binding);
  const askPrimary: Ask = async (queries, act) => {
    far.counts.primary += 1;
    await sleep(far.settings.primaryMs);
    const result = await act(primary);
    if (queries.some(isWrite)) state.written += 1;
    return result;
  };
  const session = (start: string): D1DatabaseSession => {
    let bookmark: string | null = /^first-/.test(start) ? null : start;
    const ask: Ask = async (queries, act) => {
      if (queries.some(isWrite) || (start === "first-primary" && bookmark === null)) {
        const result = await askPrimary(queries, act);
        bookmark = bookmarkOf(state.written);
        return result;
      }
      far.counts.replica += 1;
      await sleep(far.settings.replicaMs);
      const isNewEnough = bookmark === null || bookmark <= bookmarkOf(state.reached);
      if (!isNewEnough) far.counts.waits += 1;
      if (!isNewEnough || far.settings.replica === "follows") return act(primary);
      bookmark = bookmarkOf(state.reached);
      return act(replica);
    };
    return { ...sourceOver(ask), getBookmark: () => bookmark };
  };
  return {
    ...sourceOver(askPrimary),
    exec: (query: string) => primary.exec(query),
    dump: () => primary.dump(),
    withSession: (start = "first-unconstrained") => session(start),
  };
}

function sourceOver(ask: Ask): Source {
  const parts = new WeakMap<object, { query: string; values: unknown[] }>();
  const prepare = (query: string, values: unknown[] = []): D1PreparedStatement => {
    const run = <Result>(act: (statement: D1PreparedStatement) => Promise<Result>) =>
      ask([query], (source) => act(source.prepare(query).bind(...values)));
    const statement = {
      bind: (...next: unknown[]) => prepare(query, next),
      all: () => run((real) => real.all()),
      run: () => run((real) => real.run()),
      first: (column?: string) => run<unknown>((real) => (column === undefined ? real.first() : real.first(column))),
      raw: () => run((real) => real.raw()),
    } as D1PreparedStatement;
    parts.set(statement, { query, values });
    return statement;
  };
  return {
    prepare: (query: string) => prepare(query),
    batch: <Row>(statements: D1PreparedStatement[]) => {
      const real = statements.map((statement) => parts.get(statement)!);
      const queries = real.map(({ query }) => query);
      return ask(queries, (source) =>
        source.batch<Row>(real.map(({ query, values }) => source.prepare(query).bind(...values))),
      );
    },
  };
}

const STATEMENT_CHARACTERS_MAX = 50_000;
/** Copies come in any order, and what triggers would add is copied too. */
const REFERENCE = /\s+REFERENCES\s+\w+\s*\(\w+\)(\s+ON\s+(DELETE|UPDATE)\s+(CASCADE|SET NULL))?/gi;

/** Copies the primary into the replica. */
export async function catchUp(primary: D1Database, replica: D1Database, binding: string): Promise<void> {
  const state = versionsOf(binding);
  const version = state.written;
  const schema = await primary
    .prepare("select type, name, sql from sqlite_master where sql is not null and name not like '_cf_%'")
    .all<{ type: string; name: string; sql: string }>();
  const things = schema.results.filter(({ type, name }) => type !== "trigger" && !name.startsWith("sqlite_"));
  const tables = things.filter(({ type }) => type === "table").map(({ name }) => name);
  const there = await replica
    .prepare("select count(*) as n from sqlite_master where name = 'message_pair'")
    .first<number>("n");
  if (!there) {
    const made = ["table", "view", "index"].flatMap((type) => things.filter((thing) => thing.type === type));
    await replica.batch(made.map(({ sql }) => replica.prepare(sql.replace(REFERENCE, ""))));
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
    ...insertsOf(`insert into "${table}" (${names[index]}) values `, rows[index]?.results ?? []),
  ]);
  await replica.batch(statements.map((statement) => replica.prepare(statement)));
  state.reached = version;
}

function insertsOf(head: string, rows: readonly Record<string, unknown>[]): string[] {
  const statements: string[] = [];
  let values: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = `(${Object.values(row).map(literal).join(", ")})`;
    if (length + text.length > STATEMENT_CHARACTERS_MAX) {
      statements.push(head + values.join(", "));
      [values, length] = [[], 0];
    }
    values.push(text);
    length += text.length;
  }
  return values.length > 0 ? [...statements, head + values.join(", ")] : statements;
}

function literal(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  const bytes = Array.from(value as Iterable<number>, (byte) => byte.toString(16).padStart(2, "0"));
  return `x'${bytes.join("")}'`;
}
