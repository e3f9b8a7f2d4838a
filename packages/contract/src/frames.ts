/**
 * Parsing of small JSON frames: each parser answers the value, built anew from the fields it knows, or BAD. Far lighter than zod, since
 * every page of a member carries it.
 */
const BAD = Symbol("bad");
type Parse<T> = (value: unknown) => T | typeof BAD;

const when =
  <T>(passes: (value: never) => boolean): Parse<T> =>
  (value) =>
    passes(value as never) ? (value as T) : BAD;

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

export const integer = when<number>(Number.isSafeInteger);
export const id = when<number>((value: number) => Number.isSafeInteger(value) && value > 0);
export const number = when<number>(Number.isFinite);
export const text = when<string>((value) => typeof value === "string");
export const flag = when<boolean>((value) => typeof value === "boolean");
/** One of a few words. */
export const word = <T extends string>(...words: readonly T[]) => when<T>((value: T) => words.includes(value));
/** ISO 8601, UTC. */
export const time = when<string>(
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
    if (!Array.isArray(value) || value.length < min || value.length > max) return BAD;
    const items = value.map(parse);
    return items.includes(BAD) ? BAD : (items as T[]);
  };

/** A parser for each field, so that the compiler finds one that is missing. */
type Fields<T> = { readonly [Key in keyof T]-?: Parse<T[Key]> };

export const object =
  <T extends object>(fields: Fields<T>): Parse<T> =>
  (value) => {
    if (typeof value !== "object" || value === null) return BAD;
    const built: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries<Parse<unknown>>(fields)) {
      const field = parse((value as Record<string, unknown>)[name]);
      if (field === BAD) return BAD;
      if (field !== undefined) built[name] = field;
    }
    return built as T;
  };

/** A union whose members differ by `type`. */
export const oneOf =
  <T extends { readonly type: string }>(
    members: {
      readonly [Type in T["type"]]: Fields<Omit<Extract<T, { type: Type }>, "type">>;
    },
  ): Parse<T> =>
  (value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(members, type)) return BAD;
    const rest = object(members[type as T["type"]] as Fields<object>)(value);
    return rest === BAD ? BAD : ({ type, ...rest } as T);
  };

/** What a frame says; undefined for anything that is not JSON of that form. */
export function parseFrame<T>(parse: Parse<T>, frame: unknown): T | undefined {
  if (typeof frame !== "string") return undefined;
  try {
    const value = parse(JSON.parse(frame));
    return value === BAD ? undefined : value;
  } catch {
    return undefined;
  }
}
