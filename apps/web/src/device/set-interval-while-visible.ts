/**
 * Calls `act` every `periodMs` while the page is visible, and once when it becomes visible if calls fell due while it was hidden.
 * Returns the function that stops it.
 */
export function setIntervalWhileVisible(periodMs: number, act: () => void): () => void {
  let due = false;
  const actIfVisible = () => {
    due = document.visibilityState !== "visible";
    if (!due) act();
  };
  const onReturn = () => {
    if (due) actIfVisible();
  };
  const timer = setInterval(actIfVisible, periodMs);
  document.addEventListener("visibilitychange", onReturn);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onReturn);
  };
}
