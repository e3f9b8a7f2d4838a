const TRIES = 4;

/**
 * Repeats what fails because a kept connection to the worker was closed while this process was held up: everything that is
 * sent here gives the same when it is sent again.
 */
export async function withRetry<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await act();
    } catch (error) {
      if (left === 1 || !/fetch failed|connection lost/i.test(String(error))) throw error;
    }
  }
}
