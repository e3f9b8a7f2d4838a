import { MEET_POSITION_BYTES, MEET_POSITION_EVERY_MS } from "@lambda/contract/limits";
import { useEffect } from "react";
import { trpc } from "../../api/trpc.ts";
import type { OwnPlan } from "../../device/device-keys.ts";
import { askGps } from "../position/gps.ts";
import type { PositionText } from "./plan-text.ts";
import { seal } from "./sealing.ts";

/** Sends the position every five minutes while the page is in sight, sealed for the link. A missed one is not made up for. */
export function usePositions({ id, secret, owner, sendsPosition }: OwnPlan): void {
  const { mutate } = trpc.meets.addPosition.useMutation();
  useEffect(() => {
    if (!sendsPosition) return;
    let sent = 0;
    const send = async () => {
      if (document.visibilityState !== "visible" || Date.now() - sent < MEET_POSITION_EVERY_MS - SLACK_MS) return;
      sent = Date.now();
      try {
        const point: PositionText = await askGps();
        mutate({ id, owner, position: await seal({ id, secret }, "position", point, MEET_POSITION_BYTES) });
      } catch {
        // Without a fix there is nothing to send; the next turn tries again.
      }
    };
    void send();
    const look = () => void send();
    const timer = setInterval(look, MEET_POSITION_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [id, secret, owner, sendsPosition, mutate]);
}

/** A timer may come a little early. */
const SLACK_MS = 5000;
