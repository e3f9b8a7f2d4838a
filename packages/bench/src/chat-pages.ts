/** Measures messages inside two browser pages: when a key was pressed, a frame arrived, and a text appeared. */
import type { Page } from "playwright-core";

/** Durations of one message in milliseconds. */
export interface Exchange {
  /** From the key press to the text in the other page's document. */
  readonly shown: number;
  readonly keyToRequest: number;
  readonly requestToFrame: number;
  readonly frameToShown: number;
  readonly requestToAnswer: number;
  /** From the key press to the other page's next painted frame. */
  readonly painted: number;
}

interface Watch {
  pressed: number;
  readonly frames: { at: number; text: string }[];
  readonly shown: Map<string, { at: number; painted: number }>;
}

type Watched = typeof globalThis & { watch: Watch };

/** Runs in each page before its own scripts. Must be self-contained, because it is serialized. */
export function watchPage(): void {
  const clock = () => performance.timeOrigin + performance.now();
  const watch: Watch = { pressed: 0, frames: [], shown: new Map() };
  (globalThis as Watched).watch = watch;
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter") watch.pressed = clock();
    },
    { capture: true },
  );
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }) => watch.frames.push({ at: clock(), text: String(data) }));
    }
  };
  new MutationObserver(() => {
    const at = clock();
    for (const bubble of document.querySelectorAll('[role="log"] *')) {
      const text = bubble.firstChild?.nodeType === Node.TEXT_NODE ? (bubble.firstChild.nodeValue ?? "") : "";
      if (!text.startsWith("message ") || watch.shown.has(text)) continue;
      const entry = { at, painted: 0 };
      watch.shown.set(text, entry);
      requestAnimationFrame(() => setTimeout(() => (entry.painted = clock())));
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Sends `text` in one page, waits until it appears in the other, and returns the durations. */
export async function exchange(from: Page, to: Page, text: string, timeout: number): Promise<Exchange> {
  await from.getByRole("textbox", { name: "Message" }).fill(text);
  await from.keyboard.press("Enter");
  const arrival = await to.waitForFunction(
    (expected) => {
      const { shown, frames } = (globalThis as Watched).watch;
      const entry = shown.get(expected);
      return entry?.painted
        ? { ...entry, frame: frames.find((frame) => frame.text.includes(expected))?.at ?? 0 }
        : null;
    },
    text,
    { timeout, polling: 20 },
  );
  const { at, painted, frame } = (await arrival.jsonValue()) as { at: number; painted: number; frame: number };
  const sending = await from.waitForFunction(
    () => {
      const { pressed } = (globalThis as Watched).watch;
      const requests = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const pressedAt = pressed - performance.timeOrigin;
      const call = requests.findLast((entry) => entry.name.includes("messages.send") && entry.startTime >= pressedAt);
      if (!call) return null;
      if (requests.length > 150) performance.clearResourceTimings();
      return { pressed, request: call.startTime + performance.timeOrigin, answer: call.responseEnd - call.startTime };
    },
    undefined,
    { timeout, polling: 20 },
  );
  const { pressed, request, answer } = (await sending.jsonValue()) as {
    pressed: number;
    request: number;
    answer: number;
  };
  return {
    shown: at - pressed,
    keyToRequest: request - pressed,
    requestToFrame: frame - request,
    frameToShown: at - frame,
    requestToAnswer: answer,
    painted: painted - pressed,
  };
}
