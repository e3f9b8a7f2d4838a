/** What each bench takes, statistics of its measurements, and their formatted output. */
export interface BenchOptions {
  /** Members in the database; each bench has its own default. */
  readonly members: number | undefined;
  readonly queries: number | undefined;
  /** `mutation` skips this many guards of its sample, which an earlier run tried. Default 0. */
  readonly skip: number | undefined;
  readonly requests: number | undefined;
  /** Comma-separated parts of names, to which `attacks` is restricted. */
  readonly only: string | undefined;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export function formatSpread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((part) => round(quantile(values, part)));
  return `mean ${round(mean)}  p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${max}`;
}

export function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

export function printLine(label: string, text: string): void {
  console.log(`${label.padEnd(44)} ${text}`);
}

/** Prints a figure that must hold. The command fails if it does not. */
export function printGate(label: string, holds: boolean, text: string): void {
  if (!holds) process.exitCode = 1;
  printLine(label, `${text}: ${holds ? "holds" : "FAILS"}`);
}

/** Prints a figure, its goal and whether it is met. */
export function printGoal(label: string, value: number, max: number): void {
  printLine(label, `${round(value)} (goal <= ${max}) ${value <= max ? "met" : "MISSED"}`);
}
