import { VOICE_PEAKS_MAX } from "@lambda/contract/limits";

/** How loud a stretch of samples is, 0 to 100: the root of its mean square, spread as ears hear it. */
export function loudness(samples: Float32Array): number {
  const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1);
  return Math.min(100, Math.round(Math.sqrt(Math.sqrt(mean)) * 130));
}

/** The loudest of each stretch, as many as are drawn. */
export function peaksOf(levels: readonly number[]): number[] {
  const count = Math.min(VOICE_PEAKS_MAX, levels.length);
  return Array.from({ length: count }, (_, at) => {
    const stretch = levels.slice(
      Math.floor((at * levels.length) / count),
      Math.ceil(((at + 1) * levels.length) / count),
    );
    return Math.max(0, ...stretch);
  });
}
