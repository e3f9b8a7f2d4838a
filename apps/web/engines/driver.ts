/** What the three engines have in common, as far as the tests need it. */
export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the device answers when a page asks where it is. */
export type Gps = { readonly lat: number; readonly lon: number } | "denied" | "silent";

export interface WindowOptions {
  readonly width: number;
  readonly height: number;
  /** Where the pages come from, without a slash at the end. */
  readonly origin: string;
  readonly gps: Gps;
  /** JavaScript that runs in each page before its own. */
  readonly script: string;
}

/** A browser window with its own cookies and storage. Coordinates are CSS pixels of the viewport. */
export interface Driver {
  goto(url: string): Promise<void>;
  /** Runs a function in the page and returns what it resolves to, as JSON. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Presses a point: with a finger on Chromium's phone, otherwise with the mouse. */
  press(point: Point): Promise<void>;
  drag(from: Point, to: Point): Promise<void>;
  /** Types text, or presses one named key. */
  type(text: string): Promise<void>;
  key(name: "Enter" | "Escape" | "ArrowLeft" | "ArrowRight" | "Backspace" | "Home" | "Tab"): Promise<void>;
  /** Chooses files of this machine in the first input that matches. */
  choose(selector: string, file: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: EngineName;
  open(options: WindowOptions): Promise<Driver>;
  /** Ends every process of the engine. */
  close(): Promise<void>;
}

/** A driver that did not answer in time. The test starts again with a new one. */
export class DriverHung extends Error {
  override readonly name = "DriverHung";
}

/** Longer than any step takes on a busy machine, opening a page among them. */
export const STEP_MS = 60_000;

/** Rejects when a step takes longer than a driver that still works. */
export async function inTime<Result>(what: string, step: Promise<Result>, limit = STEP_MS): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DriverHung(`no answer to ${what} in ${limit} ms`)), limit);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The points between two others, as a hand moves. */
export const pathBetween = (from: Point, to: Point, steps = 8): readonly Point[] =>
  Array.from({ length: steps }, (_, index) => ({
    x: Math.round(from.x + ((to.x - from.x) * (index + 1)) / steps),
    y: Math.round(from.y + ((to.y - from.y) * (index + 1)) / steps),
  }));

/** Answers no question for the position, where the engine itself cannot be told to. */
export const SILENT_GPS = `for (const name of ["getCurrentPosition", "watchPosition"])
  Object.defineProperty(navigator.geolocation, name, { value: () => 1 });`;
