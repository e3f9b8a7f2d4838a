import { VOICE_MAX_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Sheet } from "@lambda/ui/sheet";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { useEffect, useMemo, useRef, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";
import { voiceCopy } from "./copy.ts";
import { type Recorded, type RecordingFault, VoiceRecorder } from "./recorder.ts";
import { toOutgoing } from "./upload.ts";
import VoicePlayer from "./VoicePlayer.tsx";
import css from "./voice.module.css";
import { Waveform } from "./Waveform.tsx";

interface VoiceSheetProps {
  open: boolean;
  close: () => void;
  onRecord: (voice: OutgoingVoice) => void;
}

/** Records, plays back, and sends only then. */
export function VoiceSheet({ open, close, onRecord }: VoiceSheetProps) {
  const copy = useCopy(voiceCopy);
  const { recorded, fault, levels, isRecording, start, stop, reset } = useRecorder(open);
  const [once, setOnce] = useState(false);
  const url = useMemo(() => recorded && URL.createObjectURL(recorded.blob), [recorded]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ""), [url]);

  const leave = () => {
    reset();
    setOnce(false);
    close();
  };
  const send = async () => {
    if (!recorded) return;
    onRecord(await toOutgoing(recorded, once));
    leave();
  };
  return (
    <Sheet
      open={open}
      onClose={leave}
      title={copy.title}
      closeLabel={copy.cancel}
      footer={
        recorded ? (
          <Button variant="primary" full icon="send" onClick={() => void send()}>
            {copy.send}
          </Button>
        ) : (
          <Button variant={isRecording ? "danger" : "primary"} full onClick={isRecording ? stop : start}>
            {isRecording ? copy.stop : copy.record}
          </Button>
        )
      }
    >
      <div className={css.sheet}>
        {recorded && url ? (
          <>
            <VoicePlayer src={url} durationMs={recorded.durationMs} peaks={recorded.peaks} />
            <Button variant="quiet" icon="undo" onClick={start}>
              {copy.again}
            </Button>
            <div className={css.once}>
              <Checkbox
                label={copy.once}
                help={copy.onceHint}
                checked={once}
                onChange={({ target }) => setOnce(target.checked)}
              />
            </div>
          </>
        ) : isRecording ? (
          <>
            <Waveform peaks={levels.slice(-64)} played={1} className={css.live} />
            <RecordingStatus leftMs={VOICE_MAX_MS - levels.length * 50} />
          </>
        ) : (
          <p>{copy.hint}</p>
        )}
        {fault && <p role="alert">{copy[fault]}</p>}
      </div>
    </Sheet>
  );
}

/** Seen by the second, and read out every ten. */
function RecordingStatus({ leftMs }: { leftMs: number }) {
  const copy = useCopy(voiceCopy);
  return (
    <>
      <p aria-hidden="true">{copy.recording(Math.max(0, Math.ceil(leftMs / 1000)))}</p>
      <VisuallyHidden live="polite">{copy.recording(Math.max(0, Math.ceil(leftMs / 10_000) * 10))}</VisuallyHidden>
    </>
  );
}

function useRecorder(isOpen: boolean) {
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
