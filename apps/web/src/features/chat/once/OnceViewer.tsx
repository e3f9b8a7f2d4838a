import type { Message, MessageAttachment } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/api-error.ts";
import { errorText } from "../../../api/error-text.ts";
import { ReportDialog } from "../../../components/ReportDialog/ReportDialog.tsx";
import VoicePlayer from "../../../components/Voice/VoicePlayer.tsx";
import { FLAT_WAVEFORM } from "../../../components/Voice/Waveform.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { onceCopy } from "./copy.ts";
import css from "./once.module.css";
import { closeOnce, openOnce } from "./open-once.ts";

interface OnceViewerProps {
  message: Message;
  once: Extract<MessageAttachment, { type: "once" }>;
  /** Called when the bytes have arrived. */
  onOpened: () => void;
  onClose: () => void;
}

/** Shows the attachment until the viewer is closed or the page is hidden. It stays open on the server during a report, which copies it. */
export default function OnceViewer({ message, once, onOpened, onClose }: OnceViewerProps) {
  const copy = useCopy(onceCopy);
  const dialog = useRef<HTMLDialogElement>(null);
  const [tries, setTries] = useState(0);
  const [reporting, setReporting] = useState(false);
  const attachment = useOnceAttachment(message.id, tries, onOpened);
  const { url, error } = attachment;
  const isShown = url !== undefined;

  useEffect(() => {
    dialog.current?.showModal();
    // Closes when the page is hidden, so that the app switcher does not show it.
    const closeIfHidden = () => document.visibilityState === "hidden" && onClose();
    document.addEventListener("visibilitychange", closeIfHidden);
    return () => document.removeEventListener("visibilitychange", closeIfHidden);
  }, [onClose]);
  useEffect(() => {
    if (isShown) return () => closeOnce(message.id);
  }, [isShown, message.id]);

  if (reporting) {
    const reported = {
      subjectProfileId: message.senderProfileId,
      message: { id: message.id, source: "message" },
    } as const;
    return <ReportDialog reported={reported} onClose={onClose} />;
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
            <Button onClick={() => setTries(tries + 1)}>{copy.again}</Button>
          )}
          <Button onClick={onClose}>{copy.close}</Button>
          {url && (
            <Button icon="flag" onClick={() => setReporting(true)}>
              {copy.report}
            </Button>
          )}
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
  const copy = useCopy(onceCopy);
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

/** An object URL of the attachment, revoked when the viewer closes. */
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
