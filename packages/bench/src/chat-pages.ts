/** What the chat bench looks at inside two pages of the product: when a key was pressed, a frame came, a text stood there. */
import { parseServerEvent, type ServerEvent } from "@lambda/contract/events";
import type { Page } from "playwright-core";

/** Milliseconds of one message's way. */
export interface Exchange {
  /** From the key to the text in the other page's document. */
  readonly shown: number;
  readonly keyToRequest: number;
  readonly requestToFrame: number;
  readonly frameToShown: number;
  readonly requestToAnswer: number;
  /** From the key to the other page's next painted frame. */
  readonly painted: number;
}

interface Watch {
  pressed: number;
  readonly frames: { at: number; text: string }[];
  readonly shown: Map<string, { at: number; painted: number }>;
}

type Watched = typeof globalThis & { watch: Watch };

/** Runs in each page before its own code; self-contained, as it is sent there as text. */
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

/** Writes `text` in one page, waits until it stands in the other, and tells where the time went. */
export async function exchange(from: Page, to: Page, text: string, timeout: number): Promise<Exchange> {
  await from.getByRole("textbox", { name: "Message" }).fill(text);
  await from.keyboard.press("Enter");
  const there = await to.waitForFunction(
    (wanted) => {
      const { shown, frames } = (globalThis as Watched).watch;
      const entry = shown.get(wanted);
      return entry?.painted ? { ...entry, frame: frames.find((frame) => frame.text.includes(wanted))?.at ?? 0 } : null;
    },
    text,
    { timeout, polling: 20 },
  );
  const { at, painted, frame } = (await there.jsonValue()) as { at: number; painted: number; frame: number };
  const sending = await from.waitForFunction(
    () => {
      const { pressed } = (globalThis as Watched).watch;
      const requests = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const began = pressed - performance.timeOrigin;
      const call = requests.findLast((entry) => entry.name.includes("messages.send") && entry.startTime >= began);
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

/** Frames as events; what is none is left out. */
export function chatFrames(texts: readonly string[]): ServerEvent[] {
  return texts.flatMap((text) => parseServerEvent(text) ?? []);
}
