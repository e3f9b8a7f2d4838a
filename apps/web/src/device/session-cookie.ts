/** Whether this device holds a session, without a call: the cookie next to the session's own tells it. */
export function hasSession(): boolean {
  return typeof document !== "undefined" && /(?:^|;\s*)logged_in=1/.test(document.cookie);
}
