/** Shows an answer, and returns the milliseconds until the next question; undefined ends the poll. */
type Show = () => number | undefined;

/**
 * Asks again and again, and shows nothing late: an answer is dropped if it was asked again since, and nothing is shown after the end.
 *
 * @param read does all that takes time; it must change nothing itself, and rejects only if the signal is aborted
 */
export function createPoll(read: (signal: AbortSignal) => Promise<Show>) {
  let asking = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const stop = () => {
    asking.abort();
    clearTimeout(timer);
  };
  const end = () => {
    isOver = true;
    stop();
  };
  const ask = async (): Promise<void> => {
    if (isOver) return;
    stop();
    asking = new AbortController();
    const { signal } = asking;
    const show = await read(signal).catch(() => undefined);
    if (signal.aborted || !show) return;
    const waitMs = show();
    if (isOver || signal.aborted) return;
    if (waitMs === undefined) end();
    else timer = setTimeout(() => void ask(), Math.max(waitMs, 0));
  };
  return { ask, stop, end, isOver: () => isOver };
}
