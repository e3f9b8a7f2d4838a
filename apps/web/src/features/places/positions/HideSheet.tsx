import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { HIDE_EXPLAINED } from "../../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { usePositionCopy } from "./copy.ts";
import { dispatchReporting, useReporting } from "./reporter.ts";

/**
 * Hides the member from everybody, or shows them again. Hiding asks first: always, or only until it was explained once,
 * for a button that shows its state, which changes once the server has confirmed it.
 */
export function useHide(asks: "always" | "once") {
  const { hide: copy } = usePositionCopy();
  const { hidden, pendingHide } = useReporting();
  const [isAsking, setAsking] = useState(false);
  const hide = () => {
    writeDeviceValue(HIDE_EXPLAINED, true);
    setAsking(false);
    dispatchReporting({ type: "hide", hide: true });
  };
  const press = () => {
    if (hidden) dispatchReporting({ type: "hide", hide: false });
    // Pressed again while it waits for the network.
    else if (pendingHide || (asks === "once" && readDeviceValue(HIDE_EXPLAINED))) hide();
    else setAsking(true);
  };
  const sheet = (
    <ClosableSheet
      open={isAsking}
      onClose={() => setAsking(false)}
      title={copy.title}
      footer={<Button variant="primary" icon="eye-off" label={copy.confirm} onClick={hide} />}
    >
      <p>
        {copy.text} {asks === "once" && copy.nextTime}
      </p>
    </ClosableSheet>
  );
  return { hidden, isPending: (pendingHide ?? hidden) !== hidden, press, sheet };
}
