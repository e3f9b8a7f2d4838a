/** The operator's account, through the platform's own SDK. Bundling and uploading the worker is left to wrangler. */
import Cloudflare, { APIError, NotFoundError } from "cloudflare";

export interface Account {
  readonly id: string;
  readonly api: Cloudflare;
}

interface ApiSettings {
  readonly token: string;
  readonly base?: string;
  readonly account?: string;
}

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
  const api = createApi(settings);
  if (settings.account) return { id: settings.account, api };
  const { result: accounts } = await api.accounts.list();
  const [first, ...others] = accounts;
  if (!first) throw new Error("The token sees no account.");
  if (others.length > 0) {
    throw new Error(
      `Set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
    );
  }
  return { id: first.id, api };
}

function createApi({ token, base = null }: { readonly token: string; readonly base?: string | null }) {
  return new Cloudflare({
    apiToken: token,
    baseURL: base,
    // Otherwise the SDK reads them from the environment.
    ...{ apiKey: null, apiEmail: null, userServiceKey: null },
    maxRetries: 3,
    fetch: fetchInWords,
    // Between two calls a command may bundle for seconds without noticing that the server closed an idle connection.
    defaultHeaders: { connection: "close" },
  });
}

/** What the SDK finds in a failed response: it puts `message` into the message of its error. */
interface Failure {
  readonly message: string;
  /** `METHOD /path` */
  readonly call: string;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/**
 * Puts the call and the platform's words into the SDK's errors. The SDK repeats calls; a POST only if it was rejected before it had any
 * effect, because a statement must not run twice.
 */
async function fetchInWords(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, init).catch((error: Error & { cause?: { code?: string } }) =>
    Response.json({ errors: [{ message: `no connection: ${error.cause?.code ?? error.message}` }] }, { status: 503 }),
  );
  if (response.ok) return response;
  const text = await response.text();
  const call = `${init.method} ${new URL(String(input)).pathname.replace(/^\/client\/v4/, "")}`;
  const errors = parseErrors(text);
  const words = errors.map(({ message, code }) => (code ? `${message} [${code}]` : message)).join("; ");
  const failure: Failure = { message: `to ${call}: ${words || text.slice(0, 200)}`, call, errors };
  const headers = new Headers(response.headers);
  const wait = Number(headers.get("retry-after"));
  // 1,200 calls in five minutes, then none for as long: the SDK waits, and nobody may think that the command hangs.
  if (response.status === 429 && wait > 1)
    console.error(`The platform takes no more calls for ${wait} seconds: waiting.`);
  if (init.method === "POST" && response.status !== 429) headers.set("x-should-retry", "false");
  return Response.json(failure, { status: response.status, headers });
}

function parseErrors(text: string): Failure["errors"] {
  try {
    return (JSON.parse(text) as Failure).errors ?? [];
  } catch {
    return [];
  }
}

/** The call of an error response as `METHOD /path`; undefined for another error. */
export function failedCall(error: unknown): string | undefined {
  return error instanceof APIError ? (error.error as Failure | undefined)?.call : undefined;
}

export function hasCode(error: unknown, code: number): error is APIError {
  return error instanceof APIError && error.errors.some((each) => each.code === code);
}

/** The answer, or undefined where the platform has no such thing. */
export async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
