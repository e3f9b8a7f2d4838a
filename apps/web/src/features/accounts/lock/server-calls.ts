import { toApiError } from "../../../api/api-error.ts";
import { fetchWithDeadline } from "../../../api/fetch-with-deadline.ts";
import { toBase64Url } from "../../../device/base64.ts";

const RETRY_MS = 30_000;
const JSON_HEADERS = { "content-type": "application/json" };

/**
 * Reports a correct PIN to the server by the token of its slot; the request is the same for both PINs. Retries while
 * the page lives, and resolves once the server has accepted it.
 */
export function reportUnlock(token: Uint8Array | string): Promise<void> {
  const body = JSON.stringify({ token: typeof token === "string" ? token : toBase64Url(token) });
  return postUntilAccepted("/api/unlock", { headers: JSON_HEADERS, body });
}

/** Ends this device's session with its cookies and cached pictures. Resolves once the server has done so. */
export const endSession = (): Promise<void> => postUntilAccepted("/api/auth/logout");

/** Makes the server ask for the secret that this device shows, or no longer. Throws unless the server has confirmed it. */
export async function setSessionLock(on: boolean): Promise<void> {
  const init = { method: "PUT", headers: JSON_HEADERS, body: JSON.stringify({ on }) };
  const response = await fetchWithDeadline("/api/session/lock", init);
  if (!response.ok) throw await toApiError(response);
}

async function postUntilAccepted(url: string, init: RequestInit = {}): Promise<void> {
  for (;;) {
    try {
      // With keepalive, the request is sent even if the page closes at once.
      const response = await fetchWithDeadline(url, { method: "POST", ...init, keepalive: true });
      if (response.ok) return;
    } catch {
      // No network.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
