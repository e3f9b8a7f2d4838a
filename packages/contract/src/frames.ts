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

/** The type of what a parser returns. */
export type Parsed<Parser> = Parser extends Parse<infer T> ? T : never;

type Fields = Readonly<Record<string, Parse<unknown>>>;
type OptionalKey<F extends Fields> = { [Key in keyof F]: undefined extends Parsed<F[Key]> ? Key : never }[keyof F];
type ObjectOf<F extends Fields> = { [Key in Exclude<keyof F, OptionalKey<F>>]: Parsed<F[Key]> } & {
  [Key in OptionalKey<F>]?: Parsed<F[Key]>;
};

export const object =
  <F extends Fields>(fields: F): Parse<ObjectOf<F>> =>
  (value) => {
    if (typeof value !== "object" || value === null) return INVALID;
    const parsed: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries(fields)) {
      const field = parse((value as Record<string, unknown>)[name]);
      if (field === INVALID) return INVALID;
      if (field !== undefined) parsed[name] = field;
    }
    return parsed as ObjectOf<F>;
  };

/** A union discriminated by `type`. */
export const taggedUnion =
  <Members extends Readonly<Record<string, Fields>>>(
    members: Members,
  ): Parse<{ [Type in keyof Members]: { type: Type } & ObjectOf<Members[Type]> }[keyof Members]> =>
  (value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(members, type)) return INVALID;
    const rest = object(members[type] ?? {})(value);
    return rest === INVALID ? INVALID : ({ type, ...rest } as never);
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
