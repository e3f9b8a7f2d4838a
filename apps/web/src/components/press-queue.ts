/** Presses on one thing that are not saved yet. */
interface Waiting<Stored> {
  count: number;
  /** Settles with the last of them. */
  last: Promise<unknown>;
  /** What the server has. */
  stored: Stored;
}

/**
 * Saves presses on the same thing in their order, however slow a call is. After the last one, tells what the server has, which is what the
 * screen has to show if that press failed.
 */
export function createPressQueue<Stored>() {
  const waitingFor = new Map<number, Waiting<Stored>>();
  /**
   * @param before what the server has if no earlier press waits
   * @param save returns what the server has then
   * @returns whether this press was saved
   */
  return async (
    id: number,
    before: Stored,
    save: (stored: Stored) => Promise<Stored>,
    onLastSettled: (stored: Stored, isSaved: boolean) => void,
  ): Promise<boolean> => {
    const waiting = waitingFor.get(id) ?? { count: 0, last: Promise.resolve(), stored: before };
    waitingFor.set(id, waiting);
    waiting.count += 1;
    const saving = waiting.last
      .then(() => save(waiting.stored))
      .then(
        (stored) => {
          waiting.stored = stored;
          return true;
        },
        () => false,
      );
    waiting.last = saving;
    const isSaved = await saving;
    waiting.count -= 1;
    if (waiting.count === 0) {
      waitingFor.delete(id);
      onLastSettled(waiting.stored, isSaved);
    }
    return isSaved;
  };
}
