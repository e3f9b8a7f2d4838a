import type { Message, MessageAttachment } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/api-fetch.ts";
import { errorText } from "../../../api/error-text.ts";
import { ReportDialog } from "../../../components/ReportDialog/ReportDialog.tsx";
import VoicePlayer from "../../../components/Voice/VoicePlayer.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { onceCopy } from "./copy.ts";
import css from "./once.module.css";
import { closeOnce, openOnce } from "./open-once.ts";

/** Of what is heard once not even the waveform stays with the message. */
const NO_WAVE = Array<number>(32).fill(30);

interface OnceViewerProps {
  message: Message;
  once: Extract<MessageAttachment, { type: "once" }>;
  /** Its bytes have come. */
  onOpened: () => void;
  onClose: () => void;
}

/** The picture, until it is closed, left or out of sight. A report keeps a copy while it is open: so it ends when the report is done. */
export default function OnceViewer({ message, once, onOpened, onClose }: OnceViewerProps) {
  const copy = useCopy(onceCopy);
  const dialog = useRef<HTMLDialogElement>(null);
  const [tries, setTries] = useState(0);
  const [reporting, setReporting] = useState(false);
  const { url, durationMs, error } = useOnce(message.id, tries, onOpened);
  const isShown = url !== undefined;

  useEffect(() => {
    dialog.current?.showModal();
    // In the system's switcher, or behind another page, nothing of it is to be seen.
    const leave = () => document.visibilityState === "hidden" && onClose();
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
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
      <div className={css.stage}>
        {url && once.kind === "voice" ? (
          <VoicePlayer src={url} durationMs={durationMs ?? 0} peaks={NO_WAVE} />
        ) : url ? (
          <img src={url} alt={copy.picture} draggable={false} onContextMenu={(event) => event.preventDefault()} />
        ) : error ? (
          <p role="alert">{refusalText(error, copy)}</p>
        ) : (
          <p role="status">{copy.loading}</p>
        )}
      </div>
      <div className={css.foot}>
        {url && <p>{copy.closing}</p>}
        <div className={css.acts}>
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

function refusalText(error: unknown, copy: { gone: string; lost: string }): string {
  if (!(error instanceof ApiError)) return copy.lost;
  return error.data.error?.code === "NOT_FOUND" ? copy.gone : errorText(error);
}

/** The address of the bytes within this page, which is withdrawn with the viewer. */
function useOnce(messageId: number, tries: number, onOpened: () => void) {
  const [state, setState] = useState<{ url?: string; durationMs?: number; error?: unknown }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is a request of its own
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
