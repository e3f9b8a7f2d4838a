import type { Pixels } from "./perceptual-hash.ts";

/** The average color of a picture, as "#rrggbb". */
export function averageColor({ channels, data }: Pixels): string {
  const means = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  const color = means.map((from) => {
    let sum = 0;
    for (let at = from; at < data.length; at += channels) sum += data[at] ?? 0;
    return Math.round((sum * channels) / data.length);
  });
  return `#${color.map((mean) => mean.toString(16).padStart(2, "0")).join("")}`;
}
