import { useEver } from "../../components/use-ever.ts";
import { useDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { lazyPart } from "../../routing/lazy-part.tsx";

const DigitsStep = lazyPart(() => import("./DigitsStep.tsx"));

/** Shows the field for the digits while this device waits for a login mail, and keeps it until the page after the login opens. */
export function PendingLoginMail() {
  const [pending] = useDeviceValue(LOGIN_TICKET);
  return useEver(pending !== null) && <DigitsStep />;
}

export const preloadDigitsStep = DigitsStep.preload;
