import { VOICE_MAX_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import type { IconName } from "@lambda/ui/icon";
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { ClosableSheet } from "../ClosableSheet.tsx";
import { useAbortSignal } from "../use-abort-signal.ts";
import { useVoiceCopy } from "./copy.ts";
import { type Recording, type RecordingError, VoiceRecorder } from "./recorder.ts";
import VoicePlayer from "./VoicePlayer.tsx";
import { Waveform } from "./Waveform.tsx";

interface RecordSheetProps {
  open: boolean;
  /** Records while it is true. A hold that ends before the recording has begun leaves its end to a tap. */
  isHeld?: boolean;
  title: string;
  hint: string;
  doneLabel: string;
  doneIcon?: IconName;
  close: () => void;
  /**
   * The sheet closes when this resolves; if it rejects, the recording stays and can be submitted again. Closing the sheet aborts the
   * signal.
   */
  onDone: (recording: Recording, signal: AbortSignal) => Promise<void>;
  isBusy?: boolean;
  problem?: string | undefined;
  children?: ReactNode;
}

/** Records and plays back; the recording is submitted only after that. */
export function RecordSheet(props: RecordSheetProps) {
  const {
    open,
    isHeld = false,
    title,
    hint,
    doneLabel,
    doneIcon = "send",
    close,
    onDone,
    isBusy = false,
    problem,
    children,
  } = props;
  const copy = useVoiceCopy();
  const { recorded, error, levels, isRecording, start, stop, reset } = useRecorder(open);
  useHeldRecording(open && isHeld, start, stop);
  const upload = useAbortSignal();
  const closeAndReset = () => {
    upload.abort();
    reset();
    close();
  };
  const submit = async () => {
    if (!recorded) return;
    const signal = upload.begin();
    await onDone(recorded, signal).then(
      () => signal.aborted || closeAndReset(),
      () => undefined,
    );
  };
  return (
    <ClosableSheet
      open={open}
      onClose={closeAndReset}
      title={title}
      cancels
      footer={
        recorded && !isRecording ? (
          <Button
            variant="primary"
            full
            icon={doneIcon}
            disabled={isBusy}
            label={doneLabel}
            onClick={() => void submit()}
          />
        ) : (
          <Button
            variant={isRecording ? "danger" : "primary"}
            full
            label={isRecording ? copy.stop : copy.record}
            onClick={isRecording ? stop : start}
          />
        )
      }
    >
      <div className="stack gap-3 items-center text-center">
        {isRecording ? (
          <>
            <Waveform peaks={levels.slice(-64)} played={1} className="full-width" />
            <RecordingStatus leftMs={VOICE_MAX_MS - levels.length * 50} />
          </>
        ) : recorded ? (
          <>
            <Playback recording={recorded} />
            <Button variant="quiet" icon="undo" label={copy.again} onClick={start} />
            <div className="text-start full-width">{children}</div>
          </>
        ) : (
          <p>{hint}</p>
        )}
        {error && <p role="alert">{copy[error]}</p>}
        {problem && <p role="alert">{problem}</p>}
      </div>
    </ClosableSheet>
  );
}

function useHeldRecording(isHeld: boolean, start: () => void, stop: () => void): void {
  const begin = useEffectEvent(start);
  const end = useEffectEvent(stop);
  useEffect(() => {
    if (!isHeld) return;
    begin();
    return () => end();
  }, [isHeld]);
}

function Playback({ recording: { blob, durationMs, peaks } }: { recording: Recording }) {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <VoicePlayer src={url} durationMs={durationMs} peaks={peaks} />;
}

/** Shows the remaining seconds; screen readers announce them only every ten. */
function RecordingStatus({ leftMs }: { leftMs: number }) {
  const copy = useVoiceCopy();
  return (
    <>
      <p aria-hidden="true">{copy.recording(Math.max(0, Math.ceil(leftMs / 1000)))}</p>
      <span className="visually-hidden" aria-live="polite">
        {copy.recording(Math.max(0, Math.ceil(leftMs / 10_000) * 10))}
      </span>
    </>
  );
}

function useRecorder(isOpen: boolean) {
  const recorder = useRef<VoiceRecorder>(undefined);
  /** Raised by each start, reset and closing: what an earlier attempt still waits for is then discarded. */
  const attempt = useRef(0);
  const [isRecording, setRecording] = useState(false);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [recorded, setRecorded] = useState<Recording>();
  const [error, setError] = useState<RecordingError>();

  const discard = useCallback(() => {
    attempt.current += 1;
    recorder.current?.cancel();
    recorder.current = undefined;
  }, []);
  const reset = () => {
    discard();
    setRecording(false);
    setRecorded(undefined);
    setError(undefined);
    setLevels([]);
  };
  const start = async () => {
    discard();
    setRecording(false);
    setError(undefined);
    const own = attempt.current;
    const isCurrent = () => attempt.current === own;
    try {
      const started = await VoiceRecorder.start((measured) => isCurrent() && setLevels(measured));
      // The member closed the sheet or started again while the browser asked for the microphone.
      if (!isCurrent()) return started.cancel();
      recorder.current = started;
      setLevels([]);
      setRecording(true);
      // What was recorded before stays until there is something to replace it.
      const recording = await started.recorded;
      if (isCurrent()) setRecorded(recording);
    } catch (failure) {
      // What the recorder itself found wrong is named; all else is an Error.
      if (isCurrent()) setError(typeof failure === "string" ? (failure as RecordingError) : "unable");
    } finally {
      if (isCurrent()) setRecording(false);
    }
  };
  const stop = () => void recorder.current?.stop().catch(() => undefined);

  useEffect(() => {
    if (!isOpen) return;
    // Browsers record silence in a hidden page, so the recording stops and keeps what was said so far.
    const onVisibilityChange = () => {
      if (document.visibilityState === "hidden") void recorder.current?.stop().catch(() => undefined);
    };
    document.addEventListener("visibilitychange", onVisibilityChange);
    return () => {
      document.removeEventListener("visibilitychange", onVisibilityChange);
      discard();
    };
  }, [isOpen, discard]);
  return { recorded, error, levels, isRecording, start: () => void start(), stop, reset };
}
