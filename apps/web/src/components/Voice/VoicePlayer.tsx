import { useEffect, useRef, useState } from "react";
import { useCopy } from "../../format/i18n.ts";
import { voiceCopy } from "./copy.ts";
import css from "./voice.module.css";
import { Waveform } from "./Waveform.tsx";

interface VoicePlayerProps {
  src: string;
  /** As its sender's device measured it: containers of recorders do not say. */
  durationMs: number;
  peaks: readonly number[];
  onEnded?: () => void;
}

const RATES = [1, 1.5, 2];
/** One at a time. */
let playing: HTMLAudioElement | undefined;

function usePlayback({ src, onEnded }: Pick<VoicePlayerProps, "src" | "onEnded">) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [rate, setRate] = useState(1);
  const [isBroken, setBroken] = useState(false);
  useFrames(isPlaying, () => setAt((audio.current?.currentTime ?? 0) * 1000));

  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (isPlaying) return element.pause();
    if (playing !== element) playing?.pause();
    playing = element;
    element.playbackRate = rate;
    element.play().catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === "AbortError")) setBroken(true);
    });
  };
  const seek = (ms: number) => {
    setAt(ms);
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
    onEnded: () => {
      setAt(0);
      onEnded?.();
    },
    onError: () => setBroken(true),
  } as const;
  return { attributes, isPlaying, at, rate, isBroken, toggle, seek, changeRate };
}

/** Plays a recording: by its button, its waveform and arrow keys, at three speeds. Nothing is fetched before the first press. */
export default function VoicePlayer({ src, durationMs, peaks, onEnded }: VoicePlayerProps) {
  const copy = useCopy(voiceCopy);
  const { attributes, isPlaying, at, rate, isBroken, ...act } = usePlayback({ src, ...(onEnded && { onEnded }) });
  return (
    <div className={css.player}>
      {/* Without captions: these are a member's own words, and nothing is written down from them. */}
      <audio {...attributes} />
      <button type="button" className={css.toggle} aria-label={isPlaying ? copy.pause : copy.play} onClick={act.toggle}>
        <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d={isPlaying ? "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" : "M8 5v14l11-7z"} />
        </svg>
      </button>
      <Waveform peaks={peaks} played={at / durationMs}>
        <input
          type="range"
          min={0}
          max={durationMs}
          step={500}
          value={Math.min(at, durationMs)}
          aria-label={copy.place}
          aria-valuetext={copy.seconds(clock(at), clock(durationMs))}
          onChange={({ target }) => act.seek(Number(target.value))}
        />
      </Waveform>
      <span className={css.side}>
        {clock(isPlaying || at > 0 ? at : durationMs)}
        <button type="button" className={css.speed} aria-label={copy.speed(rate)} onClick={act.changeRate}>
          {rate}×
        </button>
      </span>
      {isBroken && (
        <p className={css.fault} role="alert">
          {copy.failed}
        </p>
      )}
    </div>
  );
}

function useFrames(isOn: boolean, draw: () => void): void {
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    if (!isOn) return;
    const timer = window.setInterval(() => latest.current(), 100);
    return () => window.clearInterval(timer);
  }, [isOn]);
}

const clock = (ms: number) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
