/** Lines of the log that tell of a fault: what kind it is, where, and in which request. Never a value that a member typed. */

/** 10 frames of V8's own would all be the query builder's. */
Error.stackTraceLimit = 40;
const FRAMES_LOGGED = 24;

interface Fault {
  /** As the answer's header `x-request-id`. */
  readonly id?: string | undefined;
  readonly procedure?: string | undefined;
  readonly route?: string | undefined;
  readonly event?: string | undefined;
  readonly brand?: string;
  /** A word of the platform's own. */
  readonly code?: string;
  readonly attempts?: number;
}

export function logFault(fault: Fault, error: unknown): void {
  console.error(JSON.stringify({ level: "error", ...fault, error: describe(error) }));
}

/** Slower than this is worth a line of its own. */
const SLOW_MS = 2_000;

/** Whether a call gets a line. Figures count them all (metrics/counts.ts); a line costs twice what the call does. */
export function isLogged(
  { LOG_SHARE }: { readonly LOG_SHARE?: string },
  id: string,
  status: number,
  ms: number,
): boolean {
  if (status >= 500 || ms >= SLOW_MS || LOG_SHARE === undefined) return true;
  // The id is random.
  return Number.parseInt(id.slice(0, 8), 16) / 2 ** 32 < Number(LOG_SHARE);
}

/** The innermost cause as one line: its kind, its place, and in a development build its message as well. */
export function describe(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return typeof cause;
  const frames = cause.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_LOGGED)
    .map((line) => line.trim());
  const message = __DEVELOPMENT__ ? cause.message : kindOf(cause.message);
  return [cause.name, message, ...(frames ?? [])].filter(Boolean).join(" | ");
}

/** What the platform and SQLite say of a fault, in words that they choose themselves. */
const KNOWN_FAULTS = [
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
 * The part of a message that can carry no value: the error's class, what we know of its words, and the name of a table, column or
 * constraint, which SQLite takes from the schema. What else stands in it is left out.
 */
export function kindOf(message: string): string {
  const known = KNOWN_FAULTS.filter((words) => message.includes(words));
  if (known.length === 0) return "";
  const [code] = /\b(?:SQLITE_[A-Z_]+|D1_(?:[A-Z]+_)*ERROR|E_[A-Z_]+)\b/.exec(message) ?? [];
  // Of a constraint's name and of a missing table's only what looks like one; a CHECK's text is the schema's.
  const [, name] =
    /(?:UNIQUE|NOT NULL|CHECK) constraint failed: ([\w.]+(?:, [\w.]+)*)/.exec(message) ??
    /no such (?:table|column|index): ([\w.]+)/.exec(message) ??
    [];
  return [code, known.join(", "), name].filter(Boolean).join(": ");
}
