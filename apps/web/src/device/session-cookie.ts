/** Whether this device has a session. Reads the `logged_in` cookie, because scripts cannot read the session cookie itself. */
export function hasSession(): boolean {
  return typeof document !== "undefined" && /(?:^|;\s*)logged_in=1/.test(document.cookie);
}
