import { onSessionEnded } from "../api/ended-session.ts";
import { SESSION_KEY } from "../api/page-account.ts";
import { queryClient } from "../api/query-client.ts";
import { hasSession } from "../device/session-cookie.ts";

/** How long a page that Back brings back stays hidden at most, while the server is asked whose session it is. */
const ASKING_MS = 2000;

/**
 * The browser keeps a member's page that was left as it was seen, and no event tells it that its session ended meanwhile. Returns the
 * cleanup.
 */
export function hideInHistory(): () => void {
  const { style } = document.documentElement;
  const show = () => {
    style.visibility = "";
  };
  const onLeave = ({ persisted }: PageTransitionEvent) => {
    if (persisted) style.visibility = "hidden";
  };
  const onReturn = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    if (hasSession()) void queryClient.refetchQueries({ queryKey: SESSION_KEY, exact: true }).then(show);
    else onSessionEnded();
    setTimeout(show, hasSession() ? ASKING_MS : 0);
  };
  addEventListener("pagehide", onLeave);
  addEventListener("pageshow", onReturn);
  return () => {
    removeEventListener("pagehide", onLeave);
    removeEventListener("pageshow", onReturn);
  };
}
