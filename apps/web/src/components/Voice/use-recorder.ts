import { useCallback, useEffect, useRef, useState } from "react";
import { type Recording, type RecordingError, VoiceRecorder } from "./recorder.ts";

export function useRecorder(isOpen: boolean) {
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
    reset();
    const own = attempt.current;
    const isCurrent = () => attempt.current === own;
    try {
      const started = await VoiceRecorder.start((measured) => isCurrent() && setLevels(measured));
      // The member closed the sheet or started again while the browser asked for the microphone.
      if (!isCurrent()) return started.cancel();
      recorder.current = started;
      setRecording(true);
      const recording = await started.recorded;
      if (isCurrent()) setRecorded(recording);
    } catch (failure) {
      if (isCurrent()) setError(isRecordingError(failure) ? failure : "unable");
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

const RECORDING_ERRORS: readonly unknown[] = ["refused", "missing", "unable", "silent"] satisfies RecordingError[];
const isRecordingError = (error: unknown): error is RecordingError => RECORDING_ERRORS.includes(error);
