/** Opening what opens once. Its bytes stay in this page's memory for as long as they are shown, and nowhere else. */
import type { ErrorBody } from "@lambda/contract/errors";
import { ONCE_REPEAT_MS } from "@lambda/contract/limits";
import { ApiError } from "../../../api/api-fetch.ts";
import { trpcClient } from "../../../api/client.ts";
import { onSessionEnded } from "../../../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../../../session/other-account.ts";

export interface Opened {
  readonly blob: Blob;
  /** Of sound. */
  readonly durationMs: number;
}

/** This page's word for each opening: whoever presses again after a lost connection says the same one. */
const openings = new Map<number, string>();
const RETRY_MS = 1000;

function openingOf(messageId: number): string {
  const known = openings.get(messageId) ?? crypto.randomUUID();
  openings.set(messageId, known);
  return known;
}

/** Goes on trying for a minute while the connection breaks off. Rejects with an ApiError where the server refuses, and with the last fault else. */
export async function openOnce(messageId: number, signal: AbortSignal): Promise<Opened> {
  const until = Date.now() + ONCE_REPEAT_MS;
  for (;;) {
    try {
      return await fetchOnce(messageId, signal);
    } catch (error) {
      if (error instanceof ApiError || signal.aborted || !navigator.onLine || Date.now() > until) throw error;
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

async function fetchOnce(messageId: number, signal: AbortSignal): Promise<Opened> {
  const answer = await fetch(`/api/message/${messageId}/open`, {
    method: "POST",
    headers: { "content-type": "application/json", ...accountHeader() },
    body: JSON.stringify({ opening: openingOf(messageId) }),
    cache: "no-store",
    signal,
  });
  if (answer.ok) return { blob: await answer.blob(), durationMs: Number(answer.headers.get("x-duration-ms")) };
  if (answer.status === 401) onSessionEnded();
  if (answer.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
  const body = (await answer.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  throw new ApiError(answer.status, body?.error);
}

/** The server deletes it. A call that is lost changes little: the server does the same some minutes later. */
export function closeOnce(messageId: number): void {
  openings.delete(messageId);
  trpcClient.messages.closeOnce.mutate({ id: messageId }).catch(() => undefined);
}
