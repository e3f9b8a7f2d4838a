import type { Pixels } from "./perceptual-hash.ts";

/** "#rrggbb" of a picture as a whole. */
export function averageColour({ channels, data }: Pixels): string {
  const means = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  const colour = means.map((from) => {
    let sum = 0;
    for (let at = from; at < data.length; at += channels) sum += data[at] ?? 0;
    return Math.round((sum * channels) / data.length);
  });
  return `#${colour.map((mean) => mean.toString(16).padStart(2, "0")).join("")}`;
}
