import { MEET_POSITION_BYTES, MEET_POSITION_INTERVAL_MS } from "@lambda/contract/limits";
import { useEffect } from "react";
import { trpc } from "../../../api/trpc.ts";
import type { OwnPlan } from "../../../device/device-keys.ts";
import { repeatWhileVisible } from "../../../device/repeat-while-visible.ts";
import { requestGpsPosition } from "../../places/positions/gps.ts";
import type { PositionText } from "./plan-text.ts";
import { seal } from "./sealing.ts";

/** Sends the position, sealed for the link. Missed positions are not sent later. */
export function useSendPositions({ id, secret, owner, sendsPosition }: OwnPlan): void {
  const { mutateAsync } = trpc.meets.addPosition.useMutation();
  useEffect(() => {
    if (!sendsPosition) return;
    return repeatWhileVisible(MEET_POSITION_INTERVAL_MS, async (signal) => {
      const point: PositionText = await requestGpsPosition(signal);
      const position = await seal({ id, secret }, "position", point, MEET_POSITION_BYTES);
      signal.throwIfAborted();
      await mutateAsync({ id, owner, position });
    });
  }, [id, secret, owner, sendsPosition, mutateAsync]);
}
