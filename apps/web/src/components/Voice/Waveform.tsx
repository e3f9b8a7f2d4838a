import type { ReactNode } from "react";
import css from "./voice.module.css";

interface WaveformProps {
  peaks: readonly number[];
  /** The share that was played, 0 to 1. */
  played?: number;
  className?: string | undefined;
  children?: ReactNode;
}

/** Drawn of numbers that the sender's device made; decoration, as the control in it says where it stands. */
export function Waveform({ peaks, played = 0, className, children }: WaveformProps) {
  return (
    <div className={[css.wave, className].filter(Boolean).join(" ")}>
      {peaks.map((peak, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={at}
          aria-hidden="true"
          data-played={at < played * peaks.length || undefined}
          style={{ blockSize: `${Math.max(5, peak)}%` }}
        />
      ))}
      {children}
    </div>
  );
}
