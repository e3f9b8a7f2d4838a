import { MEET_POSITION_BYTES, MEET_POSITION_INTERVAL_MS } from "@lambda/contract/limits";
import { useEffect } from "react";
import { trpc } from "../../api/trpc.ts";
import type { OwnPlan } from "../../device/device-keys.ts";
import { requestGpsPosition } from "../position/gps.ts";
import type { PositionText } from "./plan-text.ts";
import { seal } from "./sealing.ts";

/**
 * Sends the position, sealed for the link, every five minutes while the page is visible. Missed positions are not sent
 * later.
 */
export function useSendPositions({ id, secret, owner, sendsPosition }: OwnPlan): void {
  const { mutate } = trpc.meets.addPosition.useMutation();
  useEffect(() => {
    if (!sendsPosition) return;
    let sentAt = Number.NEGATIVE_INFINITY;
    const ending = new AbortController();
    const send = async () => {
      const now = performance.now();
      if (document.visibilityState !== "visible" || now - sentAt < MEET_POSITION_INTERVAL_MS - SLACK_MS) return;
      sentAt = now;
      try {
        const point: PositionText = await requestGpsPosition(ending.signal);
        const position = await seal({ id, secret }, "position", point, MEET_POSITION_BYTES);
        if (!ending.signal.aborted) mutate({ id, owner, position });
      } catch {
        // Without a fix there is nothing to send until the next interval.
      }
    };
    void send();
    const look = () => void send();
    const timer = setInterval(look, MEET_POSITION_INTERVAL_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      ending.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [id, secret, owner, sendsPosition, mutate]);
}

/** A timer may fire a little early. */
const SLACK_MS = 5000;
