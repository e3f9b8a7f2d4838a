import type { Message } from "@lambda/contract/messages";
import { type FocusEvent, type KeyboardEvent, useState } from "react";

const tabStopsIn = (log: HTMLElement) => [...log.querySelectorAll<HTMLElement>("[data-stop]")];

/** Roving focus: Tab enters the log at the newest message, arrow keys move between messages. */
export function useMessageFocus(messages: readonly Message[]) {
  const [focusedId, setFocusedId] = useState<number>();
  const onFocus = (event: FocusEvent<HTMLDivElement>) =>
    setFocusedId(messages[tabStopsIn(event.currentTarget).indexOf(event.target)]?.id);
  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocusedId(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const stops = tabStopsIn(event.currentTarget);
    const at = stops.indexOf(event.target as HTMLElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    stops[to]?.focus();
  };
  return { tabStop: focusedId ?? messages.at(-1)?.id, handlers: { onFocus, onBlur, onKeyDown } };
}
