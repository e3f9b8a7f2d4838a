/**
 * The platform's REST API, for what commands must read or make in the operator's account. What bundles or uploads the worker is
 * wrangler's; it reads the same variables.
 */

/** What the platform answered with, in its own numbers; the token is in none of it. */
export class AccountError extends Error {
  readonly status: number;
  readonly codes: readonly number[];

  constructor(status: number, codes: readonly number[], message: string) {
    super(message);
    this.name = "AccountError";
    this.status = status;
    this.codes = codes;
  }
}

export interface Account {
  readonly id: string;
  /** Answers `result`. A path that starts with "~" is below the account. Throws AccountError. */
  ask<Result>(
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

interface Settings {
  readonly token: string;
  readonly base?: string;
  readonly account?: string;
  /** Before a call that may be repeated is. */
  readonly pauseMs?: number;
}

const BASE = "https://api.cloudflare.com/client/v4";
const TRIES = 4;
const PAUSE_MS = 2_000;

/** As wrangler finds them; throws when something is missing. */
export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: account } = env;
  if (!token) {
    throw new Error("CLOUDFLARE_API_TOKEN is not set: docs/OPERATIONS.md, First day, says how to make one.");
  }
  return { token, ...(base && { base }), ...(account && { account }) };
}

/** Finds the account that the token is for, unless it is named. */
export async function openAccount(settings: Settings): Promise<Account> {
  const call = caller(settings);
  const id = settings.account ?? (await onlyAccount(call));
  return {
    id,
    ask: (method, path, body, headers) => call(method, path.replace(/^~/, `/accounts/${id}`), body, headers),
  };
}

async function onlyAccount(call: Account["ask"]): Promise<string> {
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

function caller({ token, base = BASE, pauseMs = PAUSE_MS }: Settings): Account["ask"] {
  return async <Result>(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await fetch(`${base}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return await resultOf<Result>(answer, `${method} ${path}`);
      } catch (error) {
        if (tries === TRIES || !mayRepeat(method, error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * tries));
      }
    }
  };
}

/** What was made may not be made twice: only a refusal before anything happened lets a POST go out again. */
function mayRepeat(method: Method, error: unknown): boolean {
  if (!(error instanceof AccountError)) return method === "GET";
  return error.status === 429 || (error.status >= 500 && method !== "POST");
}

async function resultOf<Result>(answer: Response, what: string): Promise<Result> {
  const text = await answer.text();
  const envelope = readEnvelope<Result>(text);
  if (answer.ok && envelope?.success) return envelope.result;
  const errors = envelope?.errors ?? [];
  const said = errors.map(({ code, message }) => `${message} [${code}]`).join("; ") || text.slice(0, 200);
  const codes = errors.map(({ code }) => code);
  throw new AccountError(answer.status, codes, `${what} answered ${answer.status}: ${said}`);
}

function readEnvelope<Result>(text: string): Envelope<Result> | undefined {
  try {
    return JSON.parse(text) as Envelope<Result>;
  } catch {
    return undefined;
  }
}
