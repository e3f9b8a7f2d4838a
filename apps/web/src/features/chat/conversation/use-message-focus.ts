import type { Message } from "@lambda/contract/messages";
import { type FocusEvent, type KeyboardEvent, useState } from "react";

const stopsOf = (log: HTMLElement) => [...log.querySelectorAll<HTMLElement>("[data-stop]")];

/** Tab enters the log at its newest bubble; from there arrow keys go through it, one stop for each message. */
export function useMessageFocus(messages: readonly Message[]) {
  const [visited, setVisited] = useState<number>();
  const onFocus = (event: FocusEvent<HTMLDivElement>) =>
    setVisited(messages[stopsOf(event.currentTarget).indexOf(event.target)]?.id);
  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setVisited(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const stops = stopsOf(event.currentTarget);
    const at = stops.indexOf(event.target as HTMLElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    stops[to]?.focus();
  };
  return { tabStop: visited ?? messages.at(-1)?.id, handlers: { onFocus, onBlur, onKeyDown } };
}
