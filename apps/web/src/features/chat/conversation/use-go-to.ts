import { type RefObject, useEffect, useState } from "react";
import type { Thread } from "./thread.ts";

const FLASH_MS = 1200;

/** Returns a function that shows and focuses a message of the log, after loading the pages down to it. */
export function useGoTo(log: RefObject<HTMLElement | null>, thread: Thread, onOlder: () => Promise<void>) {
  const [wanted, setWanted] = useState<number>();
  const { messages, hasOlder } = thread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each page
  useEffect(() => {
    if (wanted === undefined) return;
    const message = log.current?.querySelector<HTMLElement>(`[data-message="${wanted}"]`);
    if (!message && hasOlder && wanted < (messages[0]?.id ?? 0)) {
      onOlder().catch(() => setWanted(undefined));
      return;
    }
    setWanted(undefined);
    if (!message) return;
    message.scrollIntoView({ block: "center" });
    message.querySelector<HTMLElement>("[data-stop]")?.focus({ preventScroll: true });
    // A tap shows no focus.
    message.animate({ backgroundColor: ["var(--tint)", "transparent"] }, { duration: FLASH_MS, easing: "ease-in" });
  }, [wanted, messages, hasOlder]);
  return setWanted;
}
