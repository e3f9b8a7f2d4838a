import { useEffect, useRef, useState } from "react";
import { type Recording, type RecordingError, VoiceRecorder } from "./recorder.ts";

export function useRecorder(isOpen: boolean) {
  const recorder = useRef<VoiceRecorder>(undefined);
  const [isRecording, setRecording] = useState(false);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [recorded, setRecorded] = useState<Recording>();
  const [error, setError] = useState<RecordingError>();

  const reset = () => {
    recorder.current?.cancel();
    recorder.current = undefined;
    setRecording(false);
    setRecorded(undefined);
    setError(undefined);
    setLevels([]);
  };
  const start = async () => {
    reset();
    try {
      const started = await VoiceRecorder.start(setLevels);
      recorder.current = started;
      setRecording(true);
      const recording = await started.recorded;
      if (recorder.current === started) setRecorded(recording);
    } catch (failure) {
      setError(isRecordingError(failure) ? failure : "unable");
    } finally {
      setRecording(false);
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
      recorder.current?.cancel();
    };
  }, [isOpen]);
  return { recorded, error, levels, isRecording, start: () => void start(), stop, reset };
}

const RECORDING_ERRORS: readonly unknown[] = ["refused", "missing", "unable", "silent"] satisfies RecordingError[];
const isRecordingError = (error: unknown): error is RecordingError => RECORDING_ERRORS.includes(error);
