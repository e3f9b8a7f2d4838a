/**
 * A minimal parser for JSON frames, instead of zod, because every page of the application loads it. Each parser returns a copy of
 * the value with only the known fields, or INVALID.
 */
const INVALID = Symbol("invalid");
type Parse<T> = (value: unknown) => T | typeof INVALID;

const check =
  <T>(passes: (value: never) => boolean): Parse<T> =>
  (value) =>
    passes(value as never) ? (value as T) : INVALID;

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

export const integer = check<number>(Number.isSafeInteger);
export const id = check<number>((value: number) => Number.isSafeInteger(value) && value > 0);
export const number = check<number>(Number.isFinite);
export const string = check<string>((value) => typeof value === "string");
export const boolean = check<boolean>((value) => typeof value === "boolean");
/** One of several string literals. */
export const literal = <T extends string>(...literals: readonly T[]) =>
  check<T>((value: T) => literals.includes(value));
/** ISO 8601 in UTC. */
export const timestamp = check<string>(
  (value: string) => typeof value === "string" && DATETIME.test(value) && !Number.isNaN(Date.parse(value)),
);

export const nullable =
  <T>(parse: Parse<T>): Parse<T | null> =>
  (value) =>
    value === null ? null : parse(value);

export const optional =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (value) =>
    value === undefined ? undefined : parse(value);

export const list =
  <T>(parse: Parse<T>, { min = 0, max = Number.POSITIVE_INFINITY } = {}): Parse<T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return INVALID;
    const items = value.map(parse);
    return items.includes(INVALID) ? INVALID : (items as T[]);
  };

/** One parser per field of T; a missing one is a type error. */
type Fields<T> = { readonly [Key in keyof T]-?: Parse<T[Key]> };

export const object =
  <T extends object>(fields: Fields<T>): Parse<T> =>
  (value) => {
    if (typeof value !== "object" || value === null) return INVALID;
    const parsed: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries<Parse<unknown>>(fields)) {
      const field = parse((value as Record<string, unknown>)[name]);
      if (field === INVALID) return INVALID;
      if (field !== undefined) parsed[name] = field;
    }
    return parsed as T;
  };

/** A union discriminated by `type`. */
export const taggedUnion =
  <T extends { readonly type: string }>(
    members: {
      readonly [Type in T["type"]]: Fields<Omit<Extract<T, { type: Type }>, "type">>;
    },
  ): Parse<T> =>
  (value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(members, type)) return INVALID;
    const rest = object(members[type as T["type"]] as Fields<object>)(value);
    return rest === INVALID ? INVALID : ({ type, ...rest } as T);
  };

/** Parses a text frame; undefined if it is not valid JSON of that shape. */
export function parseFrame<T>(parse: Parse<T>, frame: unknown): T | undefined {
  if (typeof frame !== "string") return undefined;
  try {
    const value = parse(JSON.parse(frame));
    return value === INVALID ? undefined : value;
  } catch {
    return undefined;
  }
}
