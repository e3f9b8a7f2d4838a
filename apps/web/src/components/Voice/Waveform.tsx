import { classes } from "@lambda/ui/classes";
import type { ReactNode } from "react";
import css from "./voice.module.css";

/** For a recording whose waveform is not stored. */
export const FLAT_WAVEFORM: readonly number[] = Array<number>(32).fill(30);

interface WaveformProps {
  peaks: readonly number[];
  /** The fraction that was played, 0 to 1. */
  played?: number;
  className?: string | undefined;
  children?: ReactNode;
}

/** Draws peaks that the sender's device measured. Decoration: the range input inside it announces the position. */
export function Waveform({ peaks, played = 0, className, children }: WaveformProps) {
  return (
    <div className={classes(css.wave, className)}>
      {peaks.map((peak, index) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: bars never move
          key={index}
          aria-hidden="true"
          data-played={index < played * peaks.length || undefined}
          style={{ blockSize: `${Math.max(5, peak)}%` }}
        />
      ))}
      {children}
    </div>
  );
}
