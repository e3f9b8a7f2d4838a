/** Quantiles of a list of numbers, and lines that align. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export function spread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((part) => round(quantile(values, part)));
  return `mean ${round(mean)}  p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${max}`;
}

export function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

export function line(label: string, text: string): void {
  console.log(`${label.padEnd(44)} ${text}`);
}

/** A goal and whether the figure meets it. */
export function goal(label: string, value: number, most: number): void {
  line(label, `${round(value)} (goal <= ${most}) ${value <= most ? "met" : "MISSED"}`);
}
