import { goTo } from "../routing/navigation.ts";
import { onSessionEnded } from "./ended-session.ts";
import { fetchWithDeadline } from "./fetch-with-deadline.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "./page-account.ts";

/** Fetches a document outside of tRPC. A 401 or a redirect to /login ends the session; a 5xx status navigates to /sorry. */
export async function documentFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchWithDeadline(path, withHeaders(init), "bytes");
  if (response.redirected && new URL(response.url).pathname === "/login") onSessionEnded();
  else if (response.status >= 500) goTo("/sorry");
  else handleSessionStatus(response.status);
  return response;
}

/** Handles the statuses that concern the whole page: 401 ends the session, and OTHER_ACCOUNT_STATUS reloads the page. */
export function handleSessionStatus(status: number): void {
  if (status === 401) onSessionEnded();
  if (status === OTHER_ACCOUNT_STATUS) onOtherAccount();
}

function withHeaders(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("x-request-start", String(Date.now()));
  for (const [name, value] of Object.entries(accountHeader())) headers.set(name, value);
  return { ...init, headers };
}
