/** Error log lines: kind of error, location and request, but never a value that a member typed. */

/** V8's default of 10 frames would all be the query builder's. */
Error.stackTraceLimit = 40;
const FRAMES_LOGGED = 24;

interface Fault {
  /** The response's `x-request-id`. */
  readonly id?: string | undefined;
  readonly procedure?: string | undefined;
  readonly route?: string | undefined;
  readonly event?: string | undefined;
  readonly brand?: string;
  /** An error code of the platform's, a region's name, or names of keys. */
  readonly code?: string;
  readonly attempts?: number;
}

export function logFault(fault: Fault, error: unknown): void {
  console.error(JSON.stringify({ level: "error", ...fault, error: describeError(error) }));
}

/** Slower requests are always logged. */
const SLOW_MS = 2_000;

/** Whether a request is logged. Metrics count every request (metrics/counts.ts); a log line costs twice as much as the request. */
export function isLogged(
  { LOG_SHARE }: { readonly LOG_SHARE?: string },
  id: string,
  status: number,
  ms: number,
): boolean {
  if (status >= 500 || ms >= SLOW_MS || LOG_SHARE === undefined) return true;
  // The id is random, so its first digits select a random sample.
  return Number.parseInt(id.slice(0, 8), 16) / 2 ** 32 < Number(LOG_SHARE);
}

/** The innermost cause as one line: its name, its stack and its message, which is redacted in production. */
export function describeError(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return typeof cause;
  const frames = cause.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_LOGGED)
    .map((line) => line.trim());
  const message = __DEVELOPMENT__ ? cause.message : redactMessage(cause.message);
  return [cause.name, message, ...(frames ?? [])].filter(Boolean).join(" | ");
}

/** Fixed phrases of the platform and of SQLite, which contain no values. */
const SAFE_PHRASES = [
  "overloaded",
  "queued for too long",
  "no such table",
  "no such column",
  "no such index",
  "no such module",
  "constraint failed",
  "datatype mismatch",
  "syntax error",
  "malformed JSON",
  "database or disk is full",
  "Exceeded maximum DB size",
  "too many SQL variables",
  "too many terms",
  "string or blob too big",
  "statement too long",
  "too many subrequests",
  "Too many API requests",
  "timed out",
  "exceeded timeout",
  "timeout",
  "interrupted",
  "database is locked",
  "out of memory",
  "memory limit",
  "CPU time limit",
  "Network connection lost",
  "code was updated",
  "object to be reset",
  "Internal error",
  "internal error",
  "transient issue",
  "append-only",
  "quota",
  "rate limit",
  "suppress",
  "not verified",
  "not allowed",
  "decode",
  "unsupported",
] as const;

/**
 * The parts of an error message that cannot contain values: its code, known phrases, and the name of a table, column or constraint,
 * which SQLite takes from the schema.
 */
export function redactMessage(message: string): string {
  const phrases = SAFE_PHRASES.filter((phrase) => message.includes(phrase));
  if (phrases.length === 0) return "";
  const [code] = /\b(?:SQLITE_[A-Z_]+|D1_(?:[A-Z]+_)*ERROR|E_[A-Z_]+)\b/.exec(message) ?? [];
  // Only what looks like a name; the text of a CHECK constraint comes from the schema.
  const [, name] =
    /(?:UNIQUE|NOT NULL|CHECK) constraint failed: ([\w.]+(?:, [\w.]+)*)/.exec(message) ??
    /no such (?:table|column|index): ([\w.]+)/.exec(message) ??
    [];
  return [code, phrases.join(", "), name].filter(Boolean).join(": ");
}
