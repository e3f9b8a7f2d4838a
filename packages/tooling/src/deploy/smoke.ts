/** Asks a deployed version what a visitor would ask first, on every brand. */

export interface SmokeTarget {
  /** `https://host` of each brand. */
  readonly origins: readonly string[];
  readonly script: string;
  /** The version that shall answer; without one, whichever does. */
  readonly version?: string;
  /** What /api/version shall name. */
  readonly commit?: string;
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

/** Throws with what was asked and what came. */
export async function smoke({ origins, script, version, commit }: SmokeTarget): Promise<void> {
  const headers = {
    // Only versions of the current deployment can be asked for so, at 0 percent too.
    ...(version && { "cloudflare-workers-version-overrides": `${script}="${version}"` }),
    cookie: "__Host-session=smoke-test-of-a-deployment",
  };
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
