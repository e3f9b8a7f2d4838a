const ATTEMPTS_MAX = 4;
const LOST = /fetch failed|connection lost/i;

/**
 * Retries a call whose keep-alive connection to the worker was closed while this process was busy, which throws or results in a 500. All
 * calls here are idempotent.
 */
export async function withRetry<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await act();
      if (attempt === ATTEMPTS_MAX || !(await isLost(result))) return result;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !LOST.test(String(error))) throw error;
    }
  }
}

async function isLost(result: unknown): Promise<boolean> {
  return result instanceof Response && result.status === 500 && LOST.test(await result.clone().text());
}
