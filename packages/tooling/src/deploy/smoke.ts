/** The smoke test of a deployed version: a few basic requests on every brand. */
import { MAINTENANCE_PASS_HEADER } from "@lambda/contract/backup";
import { stopSignal } from "../say-failures.ts";

export interface SmokeTestOptions {
  /** `https://host` of each brand. */
  readonly origins: readonly string[];
  readonly script: string;
  /** The version to test; any without it. */
  readonly version?: string;
  /** The commit that /api/version must report. */
  readonly commit?: string;
  /** Delay between attempts to reach a new version. */
  readonly retryDelayMs?: number;
}

interface Check {
  readonly path: string;
  readonly status: number;
  /** Must match the response body. */
  readonly body?: RegExp;
}

const CHECKS: readonly Check[] = [
  // The only page that is open everywhere, even where registration is closed.
  { path: "/login", status: 200, body: /<title>/ },
  { path: "/api/version", status: 200, body: /gitCommitHash/ },
  // Queries the database, with an invalid session token.
  { path: "/api/sessions", status: 401 },
  { path: "/dev/sql", status: 404 },
  { path: "/sw.js", status: 200 },
];
const TIMEOUT_MS = 20_000;
const ATTEMPTS_MAX = 4;

/** A new deployment takes some seconds to propagate; until then another version responds. */
const PROPAGATION_ATTEMPTS_MAX = 10;
const RETRY_DELAY_MS = 2_000;

/**
 * Asks again where no answer came, because a slow machine or connection of the operator says nothing about the version: only answers
 * count against it.
 */
export async function fetchPatiently(url: string, init: RequestInit, retryDelayMs = RETRY_DELAY_MS): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopSignal]);
      return await fetch(url, { redirect: "manual", ...init, signal });
    } catch (error) {
      stopSignal.throwIfAborted();
      if (attempt === ATTEMPTS_MAX)
        throw new Error(`${url} gave no answer, asked ${ATTEMPTS_MAX} times: ${reasonOf(error)}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** Why a request got no answer, in the system's word where there is one. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

async function waitForVersion(
  origins: readonly string[],
  headers: Record<string, string>,
  commit: string,
  retryDelayMs: number,
): Promise<void> {
  for (const origin of origins) {
    for (let attempt = 1; attempt <= PROPAGATION_ATTEMPTS_MAX; attempt += 1) {
      const response = await fetchPatiently(`${origin}/api/version`, { headers }, retryDelayMs);
      if ((await response.text()).includes(commit)) break;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** Selects a version of the current deployment, however small its share. */
export const versionHeaders = (script: string, version: string | undefined): Record<string, string> => ({
  ...(version && { "cloudflare-workers-version-overrides": `${script}="${version}"` }),
  // Of a restore, which keeps everybody else out.
  ...(process.env.MAINTENANCE_PASS && { [MAINTENANCE_PASS_HEADER]: process.env.MAINTENANCE_PASS }),
});

/** Throws an error that names the failed request and its response. */
export async function runSmokeTest({
  origins,
  script,
  version,
  commit,
  retryDelayMs = RETRY_DELAY_MS,
}: SmokeTestOptions): Promise<void> {
  const headers: Record<string, string> = {
    ...versionHeaders(script, version),
    cookie: "__Host-session=smoke-test-of-a-deployment",
  };
  if (version && commit) await waitForVersion(origins, headers, commit, retryDelayMs);
  for (const origin of origins) {
    for (const { path, status, body: pattern } of CHECKS) {
      const response = await fetchPatiently(`${origin}${path}`, { headers }, retryDelayMs);
      const body = await response.text();
      if (response.status !== status) throw new Error(`${origin}${path} answered ${response.status} and not ${status}`);
      if (pattern && !pattern.test(body)) throw new Error(`${origin}${path} answered without ${pattern.source}`);
      if (path === "/api/version" && commit && !body.includes(commit)) {
        throw new Error(`${origin}${path} names another commit than ${commit}`);
      }
    }
  }
}

export interface ArrivalOptions {
  readonly origins: readonly string[];
  readonly waitMs?: number;
  readonly pauseMs?: number;
  say(line: string): void;
}

/** A new domain needs a DNS record and a certificate. */
const ARRIVAL_MS = 15 * 60_000;
const ARRIVAL_PAUSE_MS = 10_000;

/** Waits until the site answers at each origin. Throws an error that says what came instead. */
export async function awaitOrigins({
  origins,
  waitMs = ARRIVAL_MS,
  pauseMs = ARRIVAL_PAUSE_MS,
  say,
}: ArrivalOptions): Promise<void> {
  const end = Date.now() + waitMs;
  const minutes = Math.ceil(waitMs / 60_000);
  for (const origin of origins) {
    let problem = await findProblem(origin);
    if (problem) say(`Waiting up to ${minutes} minutes for ${origin}, its DNS record and its certificate: ${problem}.`);
    while (problem) {
      if (Date.now() >= end) throw new Error(`${origin} did not answer within ${minutes} minutes: ${problem}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const next = await findProblem(origin);
      if (next && next !== problem) say(`Still waiting for ${origin}: ${next}.`);
      problem = next;
    }
    say(`${origin} answers.`);
  }
}

async function findProblem(origin: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${origin}/api/version`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if ((await response.text()).includes("gitCommitHash")) return undefined;
    return `it answered ${response.status} without the site's version`;
  } catch (error) {
    return reasonOf(error);
  }
}
