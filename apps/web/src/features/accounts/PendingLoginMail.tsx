import { Suspense, useState } from "react";
import { useDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { lazyPart } from "../../routing/lazy-part.ts";

const DigitsStep = lazyPart(() => import("./DigitsStep.tsx"));

/** Shows the field for the digits while this device waits for a login mail, and keeps it until the page after the login opens. */
export function PendingLoginMail() {
  const [pending] = useDeviceValue(LOGIN_TICKET);
  const [shown, setShown] = useState(false);
  if (pending && !shown) setShown(true);
  return (
    shown && (
      <Suspense>
        <DigitsStep />
      </Suspense>
    )
  );
}

export const preloadDigitsStep = DigitsStep.preload;
