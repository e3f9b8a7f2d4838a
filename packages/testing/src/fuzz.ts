/** Generates hostile requests from a running worker's OpenAPI document. The same seed generates the same requests. */
import { seededRandom } from "./random.ts";

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly properties?: Record<string, unknown> } }>;
  };
}

const HOSTILE_VALUES: readonly unknown[] = [
  0,
  -1,
  1,
  2,
  1.5,
  1e21,
  -1e21,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  90,
  180.0001,
  -181,
  "NaN",
  "Infinity",
  "1e5",
  "0x10",
  " 1 ",
  "",
  " ",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  "' or 1=1 --",
  "%",
  "%00",
  "..",
  "../../etc/passwd",
  "\u0000",
  "\ud800",
  "💥",
  "ﷺ",
  "<script>alert(1)</script>",
  "a".repeat(5000),
  "é".normalize("NFD"),
  "\u202eabc",
  "1:2",
  "33:-112",
  "-0",
  "2026-02-30",
  "1990-05-17",
  null,
  true,
  false,
  [],
  {},
  [1],
  [null],
  ["a", "a"],
  { a: 1 },
  [[[]]],
  { __proto__: null, constructor: 1 },
  "LIKE",
  "DISLIKE",
  "ERROR",
  "OVERRIDE",
  "DEVICE_GPS",
  "RANDOM",
  "en",
  "es",
  "public",
  "private",
];
const CONTENT_TYPES = [
  "application/json",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/plain",
  "application/x-www-form-urlencoded",
  "image/png",
  "",
];

/** Generates requests to random operations of the document, without end. */
export function* fuzzRequests(document: OpenApi, seed: number): Generator<FuzzRequest> {
  const random = seededRandom(seed).next;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  while (true) {
    const { path, method, operation } = pick(operations);
    const encode = (value: unknown) =>
      encodeURIComponent((typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed());
    const filledPath = path.replace(/\{(\w+)\}/g, () => encode(pick(HOSTILE_VALUES)) || "1");
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query" && random() < 0.8)
      .map((parameter) => `${parameter.name}=${encode(pick(HOSTILE_VALUES))}`);
    const url = query.length > 0 ? `${filledPath}?${query.join("&")}` : filledPath;
    if (method === "GET" || method === "DELETE") {
      yield { method, path: url, headers: {} };
      continue;
    }
    const properties = Object.keys(Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties ?? {});
    const body: Record<string, unknown> = {};
    for (const property of properties) if (random() < 0.75) body[property] = pick(HOSTILE_VALUES);
    if (random() < 0.1) body[pick(["__proto__", "constructor", "toString", "unknown"])] = pick(HOSTILE_VALUES);
    const bodyKind = random();
    const type = random() < 0.9 ? "application/json" : pick(CONTENT_TYPES);
    const json = JSON.stringify(body);
    yield {
      method,
      path: url,
      headers: type === "" ? {} : { "content-type": type },
      body:
        bodyKind < 0.85
          ? json
          : bodyKind < 0.9
            ? json.slice(0, Math.floor(random() * json.length))
            : randomBytes(random),
    };
  }
}

function randomBytes(random: () => number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: Math.floor(random() * 400) }, () => Math.floor(random() * 256));
}

/** Returns what is wrong with the response to a hostile request, if anything. */
export function findFault(status: number, body: string): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (/\bat \S+ \(?(file|node|\/).*:\d+:\d+|SQLITE_|D1_ERROR/.test(body)) return "a stack trace or a database error";
  if (status >= 400 && !body.startsWith('{"error":{"code":"'))
    return `an error of the wrong shape: ${body.slice(0, 80)}`;
  return undefined;
}
