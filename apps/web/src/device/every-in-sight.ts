/** Acts each so many milliseconds while the page is in sight. What falls due in a hidden tab happens once, when the tab comes back. */
export function everyInSight(periodMs: number, act: () => void): () => void {
  let due = false;
  const actInSight = () => {
    due = document.visibilityState !== "visible";
    if (!due) act();
  };
  const onReturn = () => {
    if (due) actInSight();
  };
  const timer = setInterval(actInSight, periodMs);
  document.addEventListener("visibilitychange", onReturn);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onReturn);
  };
}
