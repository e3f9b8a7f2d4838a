/**
 * A client for Cloudflare's REST API, for what commands read or create in the operator's account. Bundling and uploading the worker is
 * left to wrangler, which reads the same environment variables.
 */

/** An error response of the API, with its own error codes. It never contains the token. */
export class AccountError extends Error {
  readonly status: number;
  readonly codes: readonly number[];
  /** `METHOD /path` */
  readonly call: string;

  constructor(call: string, status: number, codes: readonly number[], message: string) {
    super(`${call} responded with ${status}: ${message}`);
    this.name = "AccountError";
    this.call = call;
    this.status = status;
    this.codes = codes;
  }
}

export interface Account {
  readonly id: string;
  /** Returns the response's `result`. A leading "~" in the path stands for the account. Throws AccountError. */
  request<Result>(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Result>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH";

interface Envelope<Result> {
  readonly success: boolean;
  readonly result: Result;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
}

interface ApiSettings {
  readonly token: string;
  readonly base?: string;
  readonly account?: string;
  /** Delay before the first retry; it grows with each further one. */
  readonly pauseMs?: number;
}

const BASE = "https://api.cloudflare.com/client/v4";
const ATTEMPTS_MAX = 4;
const PAUSE_MS = 2_000;

/** Reads the same environment variables as wrangler. Throws if the token is missing. */
export function readApiSettings(env: NodeJS.ProcessEnv): ApiSettings {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: account } = env;
  if (!token) {
    throw new Error("CLOUDFLARE_API_TOKEN is not set: docs/OPERATIONS.md, First day, says how to make one.");
  }
  return { token, ...(base && { base }), ...(account && { account }) };
}

/** Opens the named account, or else the only one that the token can access. */
export async function openAccount(settings: ApiSettings): Promise<Account> {
  const call = createCaller(settings);
  const id = settings.account ?? (await findOnlyAccount(call));
  return {
    id,
    request: (method, path, body, headers) => call(method, path.replace(/^~/, `/accounts/${id}`), body, headers),
  };
}

async function findOnlyAccount(call: Account["request"]): Promise<string> {
  const accounts = await call<{ id: string; name: string }[]>("GET", "/accounts");
  const [first, ...others] = accounts;
  if (!first) throw new Error("The token sees no account.");
  if (others.length > 0) {
    throw new Error(
      `Set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
    );
  }
  return first.id;
}

function createCaller({ token, base = BASE, pauseMs = PAUSE_MS }: ApiSettings): Account["request"] {
  return async <Result>(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(`${base}${path}`, {
          method,
          // Between two calls a command may bundle for seconds without noticing that the server closed an idle connection.
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            connection: "close",
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return await parseResponse<Result>(response, `${method} ${path}`);
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !canRetry(method, error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
      }
    }
  };
}

/** A POST must not create anything twice, so it is only retried if it was rejected before it had any effect. */
function canRetry(method: Method, error: unknown): boolean {
  if (!(error instanceof AccountError)) return method === "GET";
  return error.status === 429 || (error.status >= 500 && method !== "POST");
}

async function parseResponse<Result>(response: Response, call: string): Promise<Result> {
  const text = await response.text();
  const envelope = parseEnvelope<Result>(text);
  if (response.ok && envelope?.success) return envelope.result;
  const errors = envelope?.errors ?? [];
  const message = errors.map((error) => `${error.message} [${error.code}]`).join("; ") || text.slice(0, 200);
  const codes = errors.map(({ code }) => code);
  throw new AccountError(call, response.status, codes, message);
}

function parseEnvelope<Result>(text: string): Envelope<Result> | undefined {
  try {
    return JSON.parse(text) as Envelope<Result>;
  } catch {
    return undefined;
  }
}
