/** Asks a deployed version what a visitor would ask first, on every brand. */

export interface SmokeTarget {
  /** `https://host` of each brand. */
  readonly origins: readonly string[];
  readonly script: string;
  /** The version that shall answer; without one, whichever does. */
  readonly version?: string;
  /** What /api/version shall name. */
  readonly commit?: string;
  /** Between two tries to reach a version that is new. */
  readonly tryEveryMs?: number;
}

interface Look {
  readonly path: string;
  readonly status: number;
  /** Something that only the right answer holds. */
  readonly holds?: RegExp;
}

const LOOKS: readonly Look[] = [
  // Open wherever this is asked from: a place that is closed to newcomers has no other page.
  { path: "/login", status: 200, holds: /<title>/ },
  { path: "/api/version", status: 200, holds: /gitCommitHash/ },
  // Reaches the database: a token that nobody has.
  { path: "/api/sessions", status: 401 },
  { path: "/dev/sql", status: 404 },
  { path: "/sw.js", status: 200 },
];
const ANSWERS_WITHIN_MS = 20_000;

/** A new deployment takes some seconds to be known everywhere, and until then another version answers. */
const KNOWN_AFTER_TRIES = 10;
const TRY_EVERY_MS = 2_000;

async function untilAnswered(
  origins: readonly string[],
  headers: Record<string, string>,
  commit: string,
  tryEveryMs: number,
): Promise<void> {
  for (const origin of origins) {
    for (let tries = 1; tries <= KNOWN_AFTER_TRIES; tries += 1) {
      const answer = await fetch(`${origin}/api/version`, { headers, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
      if ((await answer.text()).includes(commit)) break;
      await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
    }
  }
}

/** Throws with what was asked and what came. */
export async function smoke({
  origins,
  script,
  version,
  commit,
  tryEveryMs = TRY_EVERY_MS,
}: SmokeTarget): Promise<void> {
  const headers: Record<string, string> = {
    // Only versions of the current deployment can be asked for so, at 0 percent too.
    ...(version && { "cloudflare-workers-version-overrides": `${script}="${version}"` }),
    cookie: "__Host-session=smoke-test-of-a-deployment",
  };
  if (version && commit) await untilAnswered(origins, headers, commit, tryEveryMs);
  for (const origin of origins) {
    for (const { path, status, holds } of LOOKS) {
      const answer = await fetch(`${origin}${path}`, {
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      });
      const body = await answer.text();
      if (answer.status !== status) throw new Error(`${origin}${path} answered ${answer.status} and not ${status}`);
      if (holds && !holds.test(body)) throw new Error(`${origin}${path} answered without ${holds.source}`);
      if (path === "/api/version" && commit && !body.includes(commit)) {
        throw new Error(`${origin}${path} names another commit than ${commit}`);
      }
    }
  }
}
