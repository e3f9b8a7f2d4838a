import { useMemo } from "react";
import { useStore } from "zustand";
import { type Outgoing, outboxOf } from "./outbox.ts";

/** What waits to be sent to one member, or to the area (null), oldest first. */
export function useOutbox(account: number, recipientProfileId: number | null): readonly Outgoing[] {
  const outbox = useMemo(() => outboxOf(account), [account]);
  const all = useStore(outbox.items);
  return useMemo(() => all.filter((item) => item.recipientProfileId === recipientProfileId), [all, recipientProfileId]);
}
