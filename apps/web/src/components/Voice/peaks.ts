import { VOICE_PEAKS_MAX } from "@lambda/contract/limits";

/** The loudness of samples, 0 to 100: the square root of their RMS, because hearing is not linear. */
export function loudness(samples: Float32Array): number {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1);
  return Math.min(100, Math.round(Math.sqrt(Math.sqrt(meanSquare)) * 130));
}

/** Reduces levels to at most VOICE_PEAKS_MAX peaks for the waveform. */
export function computePeaks(levels: readonly number[]): number[] {
  const count = Math.min(VOICE_PEAKS_MAX, levels.length);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * levels.length) / count);
    const end = Math.ceil(((index + 1) * levels.length) / count);
    return Math.max(0, ...levels.slice(start, end));
  });
}
