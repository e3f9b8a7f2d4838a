/** A tab that holds a lock for longer may be frozen. */
const LOCK_WAIT_MS = 5000;

/**
 * Runs `work` in one tab at a time. After the deadline it runs without the lock, so `work` must be correct, if wasteful, when two tabs
 * run it at once.
 */
export function withTabLock<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  if (!navigator.locks) return work();
  return new Promise((resolve, reject) => {
    let isStarted = false;
    const start = async () => {
      clearTimeout(timer);
      if (isStarted) return; // Granted after the deadline: released at once.
      isStarted = true;
      await work().then(resolve, reject);
    };
    const timer = setTimeout(start, LOCK_WAIT_MS);
    navigator.locks.request(name, start).catch(start);
  });
}
