import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isOnline } from "../../device/online.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { useVoiceCopy } from "./copy.ts";
import css from "./voice.module.css";
import { Waveform } from "./Waveform.tsx";

interface VoicePlayerProps {
  src: string;
  /** Measured by the sender's device, because recorded files do not contain their duration. */
  durationMs: number;
  peaks: readonly number[];
}

const RATES = [1, 1.5, 2];
/** Only one recording plays at a time. */
let playing: HTMLAudioElement | undefined;

function usePlayback(src: string) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [positionMs, setPositionMs] = useState(0);
  const [rate, setRate] = useState(1);
  const [fault, setFault] = useState<"failed" | "unplayable">();
  const fail = () => setFault(isUnplayable(audio.current) ? "unplayable" : "failed");
  useTicks(isPlaying, () => setPositionMs((audio.current?.currentTime ?? 0) * 1000));

  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (isPlaying) return element.pause();
    if (playing !== element) playing?.pause();
    playing = element;
    setFault(undefined);
    if (element.error) {
      // Otherwise it would never try again.
      element.load();
      element.currentTime = positionMs / 1000;
    }
    element.playbackRate = rate;
    withDeadline(MEDIA_WAIT_MS, () => element.play()).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === "AbortError")) fail();
    });
  };
  const seek = (ms: number) => {
    setPositionMs(ms);
    if (audio.current) audio.current.currentTime = ms / 1000;
  };
  const changeRate = () => {
    const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1;
    setRate(next);
    if (audio.current) audio.current.playbackRate = next;
  };
  const attributes = {
    ref: audio,
    src,
    preload: "none",
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onEnded: () => setPositionMs(0),
    onPlaying: () => setFault(undefined),
    onError: fail,
  } as const;
  return { attributes, isPlaying, positionMs, rate, fault, toggle, seek, changeRate };
}

/** Plays a recording at three speeds; the waveform is its seek bar. Nothing is loaded before the first press. */
export default function VoicePlayer({ src, durationMs, peaks }: VoicePlayerProps) {
  const copy = useVoiceCopy();
  const { attributes, isPlaying, positionMs, rate, fault, ...actions } = usePlayback(src);
  return (
    <div className={`stack gap-1 raised radius-2 full-width ${css.player}`}>
      {/* No captions: members' recordings are never transcribed. */}
      <audio {...attributes} />
      <button
        type="button"
        className={`center circle ${css.toggle}`}
        aria-label={isPlaying ? copy.pause : copy.play}
        onClick={actions.toggle}
      >
        <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d={isPlaying ? "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" : "M8 5v14l11-7z"} />
        </svg>
      </button>
      <Waveform peaks={peaks} played={positionMs / durationMs}>
        <input
          type="range"
          className="over"
          min={0}
          max={durationMs}
          step={500}
          value={Math.min(positionMs, durationMs)}
          aria-label={copy.place}
          aria-valuetext={copy.seconds(formatMinutes(positionMs), formatMinutes(durationMs))}
          onChange={({ target }) => actions.seek(Number(target.value))}
        />
      </Waveform>
      <span className={`stack type-mark ${css.side}`}>
        {formatMinutes(isPlaying || positionMs > 0 ? positionMs : durationMs)}
        <button type="button" className={css.speed} aria-label={copy.speed(rate)} onClick={actions.changeRate}>
          {rate}×
        </button>
      </span>
      {fault && (
        <p className={`type-mark ${css.fault}`} role="alert">
          {copy[fault]}
        </p>
      )}
    </div>
  );
}

/** Whether this browser lacks the one kind of recording that not all play: Opus in WebM, as on iOS before 17.4. */
function isUnplayable(audio: HTMLAudioElement | null): boolean {
  return (
    isOnline() &&
    audio?.error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED &&
    audio.canPlayType("audio/webm;codecs=opus") === ""
  );
}

function useTicks(isActive: boolean, onTick: () => void): void {
  const tick = useEffectEvent(onTick);
  useEffect(() => {
    if (!isActive) return;
    const timer = window.setInterval(() => tick(), 100);
    return () => window.clearInterval(timer);
  }, [isActive]);
}

const formatMinutes = (ms: number) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
