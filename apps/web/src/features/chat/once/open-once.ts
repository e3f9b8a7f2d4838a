/** Opens "open once" attachments. Their bytes are kept only in this page's memory, while they are shown. */
import { ONCE_REPEAT_MS } from "@lambda/contract/limits";
import { ApiError, toApiError } from "../../../api/api-error.ts";
import { trpcClient } from "../../../api/client.ts";
import { fetchWithDeadline } from "../../../api/fetch-with-deadline.ts";
import { accountHeader } from "../../../api/page-account.ts";
import { isOnline } from "../../../device/online.ts";

export interface OpenedMedia {
  readonly blob: Blob;
  /** Of a voice message. */
  readonly durationMs: number;
}

/** An idempotency token per message, so that a retry after a lost connection counts as the same opening. */
const openingTokens = new Map<number, string>();
const RETRY_MS = 1000;

function openingTokenOf(messageId: number): string {
  const token = openingTokens.get(messageId) ?? crypto.randomUUID();
  openingTokens.set(messageId, token);
  return token;
}

/** Retries for a minute after network errors. Rejects with an ApiError if the server refuses, otherwise with the last network error. */
export async function openOnce(messageId: number, signal: AbortSignal): Promise<OpenedMedia> {
  const deadline = performance.now() + ONCE_REPEAT_MS;
  for (;;) {
    try {
      return await fetchOnce(messageId, signal);
    } catch (error) {
      if (error instanceof ApiError || signal.aborted || !isOnline() || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function fetchOnce(messageId: number, signal: AbortSignal): Promise<OpenedMedia> {
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json", ...accountHeader() },
    body: JSON.stringify({ opening: openingTokenOf(messageId) }),
    cache: "no-store",
    signal,
  };
  const response = await fetchWithDeadline(`/api/message/${messageId}/open`, init);
  if (response.ok) return { blob: await response.blob(), durationMs: Number(response.headers.get("x-duration-ms")) };
  throw await toApiError(response);
}

/** Makes the server delete the attachment now. If the call is lost, the server deletes it a few minutes later. */
export function closeOnce(messageId: number): void {
  openingTokens.delete(messageId);
  trpcClient.messages.closeOnce.mutate({ id: messageId }).catch(() => undefined);
}
