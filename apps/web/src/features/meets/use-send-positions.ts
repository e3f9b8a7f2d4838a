import { MEET_POSITION_BYTES, MEET_POSITION_INTERVAL_MS } from "@lambda/contract/limits";
import { useEffect } from "react";
import { trpc } from "../../api/trpc.ts";
import type { OwnPlan } from "../../device/device-keys.ts";
import { requestGpsPosition } from "../position/gps.ts";
import type { PositionText } from "./plan-text.ts";
import { seal } from "./sealing.ts";

/** Sends the position, sealed for the link. Missed positions are not sent later. */
export function useSendPositions({ id, secret, owner, sendsPosition }: OwnPlan): void {
  const { mutateAsync } = trpc.meets.addPosition.useMutation();
  useEffect(() => {
    if (!sendsPosition) return;
    return repeatWhileVisible(async (signal) => {
      const point: PositionText = await requestGpsPosition(signal);
      const position = await seal({ id, secret }, "position", point, MEET_POSITION_BYTES);
      signal.throwIfAborted();
      await mutateAsync({ id, owner, position });
    });
  }, [id, secret, owner, sendsPosition, mutateAsync]);
}

/** The pause after the first failure. It doubles with each further one: a device often has no fix in its first seconds. */
const RETRY_MS = 5000;

/**
 * Calls `send` at once and then every five minutes while the page is visible, and sooner after a failure. The returned function stops it.
 */
export function repeatWhileVisible(send: (signal: AbortSignal) => Promise<void>): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let failures = 0;
  let dueAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    if (isSending || document.visibilityState !== "visible") return;
    clearTimeout(timer);
    if (performance.now() >= dueAt) {
      isSending = true;
      failures = await send(ending.signal).then(
        () => 0,
        () => failures + 1,
      );
      isSending = false;
      if (ending.signal.aborted) return;
      const pause = failures === 0 ? MEET_POSITION_INTERVAL_MS : RETRY_MS * 2 ** (failures - 1);
      dueAt = performance.now() + Math.min(pause, MEET_POSITION_INTERVAL_MS);
    }
    timer = setTimeout(look, dueAt - performance.now());
  };
  void look();
  document.addEventListener("visibilitychange", look);
  return () => {
    ending.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
