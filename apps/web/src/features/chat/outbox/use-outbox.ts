import { useMemo, useSyncExternalStore } from "react";
import { type Outgoing, outbox } from "./outbox.ts";

/** What waits to be sent to one man, or to the area (null), oldest first. */
export function useOutbox(recipientProfileId: number | null): readonly Outgoing[] {
  const all = useSyncExternalStore(outbox.subscribe, outbox.list);
  return useMemo(() => all.filter((item) => item.recipientProfileId === recipientProfileId), [all, recipientProfileId]);
}
