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
    let sentAt = 0;
    const send = async () => {
      if (document.visibilityState !== "visible" || Date.now() - sentAt < MEET_POSITION_INTERVAL_MS - SLACK_MS) return;
      sentAt = Date.now();
      try {
        const point: PositionText = await requestGpsPosition();
        mutate({ id, owner, position: await seal({ id, secret }, "position", point, MEET_POSITION_BYTES) });
      } catch {
        // Without a fix there is nothing to send until the next interval.
      }
    };
    void send();
    const look = () => void send();
    const timer = setInterval(look, MEET_POSITION_INTERVAL_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [id, secret, owner, sendsPosition, mutate]);
}

/** A timer may fire a little early. */
const SLACK_MS = 5000;
