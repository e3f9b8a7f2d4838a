const TRIES = 4;
const LOST = /fetch failed|connection lost/i;

/**
 * Repeats what fails because a kept connection to the worker was closed while this process was held up, whether it throws or is answered
 * with a 500 that says so: everything that is sent here gives the same when it is sent again.
 */
export async function withRetry<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left -= 1) {
    try {
      const result = await act();
      if (left === 1 || !(await isLost(result))) return result;
    } catch (error) {
      if (left === 1 || !LOST.test(String(error))) throw error;
    }
  }
}

async function isLost(result: unknown): Promise<boolean> {
  return result instanceof Response && result.status === 500 && LOST.test(await result.clone().text());
}
