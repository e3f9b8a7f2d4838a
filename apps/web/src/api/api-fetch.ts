import type { ErrorBody } from "@lambda/contract/errors";
import { goTo } from "../routing/navigation.ts";
import { onSessionEnded } from "../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../session/other-account.ts";

/** A REST call that failed, in the shape of a failed tRPC call, so that errorText() reads both. */
export class ApiError extends Error {
  readonly data: { readonly httpStatus: number; readonly error: ErrorBody["error"] | undefined };

  constructor(status: number, error: ErrorBody["error"] | undefined) {
    super(error?.message ?? `HTTP ${status}`);
    this.name = "ApiError";
    this.data = { httpStatus: status, error };
  }
}

/** A call that tRPC does not carry, of a document: a redirect to /login is a forced logout, a 5xx goes to /sorry. */
export async function documentFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, withStart(init));
  if (answer.status === 401 || (answer.redirected && new URL(answer.url).pathname === "/login")) onSessionEnded();
  else if (answer.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
  else if (answer.status >= 500) goTo("/sorry");
  return answer;
}

function withStart(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("x-request-start", String(Date.now()));
  for (const [name, value] of Object.entries(accountHeader())) headers.set(name, value);
  return { ...init, headers };
}
