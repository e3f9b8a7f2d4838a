import { useMemo } from "react";
import { useStore } from "zustand";
import { type OutgoingMessage, outboxOf } from "./outbox.ts";

/** Messages waiting for one recipient, or for the map chat (null), oldest first. */
export function useOutbox(account: number, recipientProfileId: number | null): readonly OutgoingMessage[] {
  const outbox = useMemo(() => outboxOf(account), [account]);
  const all = useStore(outbox.items);
  return useMemo(() => all.filter((item) => item.recipientProfileId === recipientProfileId), [all, recipientProfileId]);
}
