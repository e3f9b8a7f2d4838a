import { useEffect, useRef, useState } from "react";
import { type Recorded, type RecordingFault, VoiceRecorder } from "./recorder.ts";

export function useRecorder(isOpen: boolean) {
  const recorder = useRef<VoiceRecorder>(undefined);
  const [isRecording, setRecording] = useState(false);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [recorded, setRecorded] = useState<Recorded>();
  const [fault, setFault] = useState<RecordingFault>();

  const reset = () => {
    recorder.current?.cancel();
    recorder.current = undefined;
    setRecording(false);
    setRecorded(undefined);
    setFault(undefined);
    setLevels([]);
  };
  const start = async () => {
    reset();
    try {
      const begun = await VoiceRecorder.start(setLevels);
      recorder.current = begun;
      setRecording(true);
      const done = await begun.recorded;
      if (recorder.current === begun) setRecorded(done);
    } catch (error) {
      setFault(isFault(error) ? error : "unable");
    } finally {
      setRecording(false);
    }
  };
  const stop = () => void recorder.current?.stop().catch(() => undefined);

  useEffect(() => {
    if (!isOpen) return;
    // Behind another page browsers give silence: what was said so far stays.
    const leave = () => document.visibilityState === "hidden" && void recorder.current?.stop().catch(() => undefined);
    document.addEventListener("visibilitychange", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      recorder.current?.cancel();
    };
  }, [isOpen]);
  return { recorded, fault, levels, isRecording, start: () => void start(), stop, reset };
}

const FAULTS: readonly unknown[] = ["refused", "missing", "unable", "silent"] satisfies RecordingFault[];
const isFault = (error: unknown): error is RecordingFault => FAULTS.includes(error);
