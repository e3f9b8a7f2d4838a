import { Suspense, useState } from "react";
import { useDevice } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { lazyScreen } from "../../routing/lazy-screen.ts";

const DigitsStep = lazyScreen(() => import("./DigitsStep.tsx"));

/** While this device waits for a login mail: the field for its digits. Stays until the page that comes after the login. */
export function MailWait() {
  const [waiting] = useDevice(LOGIN_TICKET);
  const [shown, setShown] = useState(false);
  if (waiting && !shown) setShown(true);
  return (
    shown && (
      <Suspense>
        <DigitsStep />
      </Suspense>
    )
  );
}

export const preloadDigitsStep = DigitsStep.preload;
