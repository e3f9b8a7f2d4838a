import { ONCE_REPEAT_MS } from "@lambda/contract/limits";
import type { Message, MessageAttachment } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { useEffect, useRef, useState } from "react";
import { ApiError, toApiError } from "../../../../api/api-error.ts";
import { trpcClient } from "../../../../api/client.ts";
import { errorText } from "../../../../api/error-text.ts";
import { fetchWithDeadline } from "../../../../api/fetch-with-deadline.ts";
import { accountHeader } from "../../../../api/page-account.ts";
import { ConfirmSheet } from "../../../../components/ConfirmSheet.tsx";
import { ReportDialog } from "../../../../components/ReportDialog/ReportDialog.tsx";
import VoicePlayer from "../../../../components/Voice/VoicePlayer.tsx";
import { FLAT_WAVEFORM } from "../../../../components/Voice/Waveform.tsx";
import { isOnline } from "../../../../device/online.ts";
import { useOnceCopy } from "./copy.ts";
import css from "./once.module.css";

interface OnceViewerProps {
  message: Message;
  once: Extract<MessageAttachment, { type: "once" }>;
  /** Called when the bytes have arrived. */
  onOpened: () => void;
  onClose: () => void;
}

/**
 * Shows the attachment until the viewer is closed or the page is hidden. It stays open on the server during a report, which copies it: then
 * it is out of sight, and only the member's word deletes it.
 */
export default function OnceViewer({ message, once, onOpened, onClose }: OnceViewerProps) {
  const copy = useOnceCopy();
  const dialog = useRef<HTMLDialogElement>(null);
  const [tries, setTries] = useState(0);
  const [reporting, setReporting] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const attachment = useOnceAttachment(message.id, tries, onOpened);
  const { url, error } = attachment;
  const isShown = url !== undefined;

  useEffect(() => {
    if (reporting) return;
    dialog.current?.showModal();
    // Closes when the page is hidden, so that the app switcher does not show it.
    const closeIfHidden = () => document.visibilityState === "hidden" && onClose();
    document.addEventListener("visibilitychange", closeIfHidden);
    return () => document.removeEventListener("visibilitychange", closeIfHidden);
  }, [onClose, reporting]);
  useEffect(() => {
    if (isShown) return () => closeOnce(message.id);
  }, [isShown, message.id]);

  if (reporting) {
    const reported = {
      subjectProfileId: message.senderProfileId,
      message: { id: message.id, source: "message" },
    } as const;
    return (
      <>
        <ReportDialog reported={leaving ? undefined : reported} onClose={() => setLeaving(true)} onSent={onClose} />
        <ConfirmSheet
          open={leaving}
          onClose={() => setLeaving(false)}
          title={copy.leaveTitle}
          action={<Button variant="danger" label={copy.leave} onClick={onClose} />}
        >
          <p>{copy.leaveText[once.kind]}</p>
        </ConfirmSheet>
      </>
    );
  }
  return (
    <dialog
      ref={dialog}
      className={css.viewer}
      aria-label={copy.titles[once.kind]}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={`center text-center ${css.stage}`}>
        <Content kind={once.kind} attachment={attachment} />
      </div>
      <div className={`stack gap-2 items-center type-mark ${css.footer}`}>
        {url && <p>{copy.closing}</p>}
        <div className="wrap gap-2 justify-center">
          {error !== undefined && !(error instanceof ApiError) && (
            <Button label={copy.again} onClick={() => setTries(tries + 1)} />
          )}
          <Button label={copy.close} onClick={onClose} />
          {url && <Button icon="flag" label={copy.report} onClick={() => setReporting(true)} />}
        </div>
      </div>
    </dialog>
  );
}

interface ContentProps {
  kind: OnceViewerProps["once"]["kind"];
  attachment: ReturnType<typeof useOnceAttachment>;
}

function Content({ kind, attachment: { url, durationMs, error } }: ContentProps) {
  const copy = useOnceCopy();
  if (url && kind === "voice") return <VoicePlayer src={url} durationMs={durationMs ?? 0} peaks={FLAT_WAVEFORM} />;
  if (url)
    return <img src={url} alt={copy.picture} draggable={false} onContextMenu={(event) => event.preventDefault()} />;
  if (error) return <p role="alert">{refusalText(error, copy)}</p>;
  return <p role="status">{copy.loading}</p>;
}

function refusalText(error: unknown, copy: { gone: string; lost: string }): string {
  if (!(error instanceof ApiError)) return copy.lost;
  return error.data.error?.code === "NOT_FOUND" ? copy.gone : errorText(error);
}

function useOnceAttachment(messageId: number, tries: number, onOpened: () => void) {
  const [state, setState] = useState<{ url?: string; durationMs?: number; error?: unknown }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try makes a new request
  useEffect(() => {
    const request = new AbortController();
    let url: string | undefined;
    setState({});
    openOnce(messageId, request.signal).then(
      ({ blob, durationMs }) => {
        if (request.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setState({ url, durationMs });
        onOpened();
      },
      (error: unknown) => !request.signal.aborted && setState({ error }),
    );
    return () => {
      request.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [messageId, tries]);
  return state;
}

/** Opens "open once" attachments. Their bytes are kept only in this page's memory, while they are shown. */

interface OpenedMedia {
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
async function openOnce(messageId: number, signal: AbortSignal): Promise<OpenedMedia> {
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
  const response = await fetchWithDeadline(`/api/message/${messageId}/open`, init, "bytes");
  if (response.ok) return { blob: await response.blob(), durationMs: Number(response.headers.get("x-duration-ms")) };
  throw await toApiError(response);
}

/** Makes the server delete the attachment now. If the call is lost, the server deletes it a few minutes later. */
function closeOnce(messageId: number): void {
  openingTokens.delete(messageId);
  trpcClient.messages.closeOnce.mutate({ id: messageId }).catch(() => undefined);
}
