import { IconButton } from "@lambda/ui/icon-button";
import { Suspense, useSyncExternalStore } from "react";
import { type DeviceKey, useDeviceValue } from "../device/device-storage.ts";
import { useCopy } from "../format/i18n.ts";
import { lazyPart } from "../routing/lazy-part.ts";
import type { Session } from "../session/session.ts";
import { shellCopy } from "./copy.ts";
import css from "./notices.module.css";
import { ScreenBoundary } from "./ScreenBoundary.tsx";

const BANNER_HIDDEN: DeviceKey<boolean> = {
  name: "banner_hidden",
  fallback: false,
  isValid: (value): value is boolean => typeof value === "boolean",
};

// Rare, so not part of every first page.
const ClosingNotice = lazyPart(() => import("./ClosingNotice.tsx"));
const StandingNotice = lazyPart(() => import("./StandingNotice.tsx"));
const neverChanges = () => () => undefined;

/** The last day of a site that closes, which the server writes into the page; prerendered pages do not know it. */
function useClosingDay(): string | undefined {
  return useSyncExternalStore(
    neverChanges,
    () => document.documentElement.dataset.closing,
    () => undefined,
  );
}

/** The end of the site, the banner about active development, and the reason why a suspended or banned member is restricted. */
export function Notices({ session, isStep }: { session: Session; isStep: true | undefined }) {
  const copy = useCopy(shellCopy);
  const [isClosed, setClosed] = useDeviceValue(BANNER_HIDDEN);
  const hidden = isClosed || isStep;
  const standing = session.context?.standing;
  const closing = useClosingDay();
  if (hidden && !standing && !closing) return null;
  return (
    <aside className={`stack gap-2 ${css.notices}`} data-notices aria-label={copy.notices}>
      {(closing || standing) && (
        <ScreenBoundary path="">
          <Suspense>
            {closing && <ClosingNotice day={closing} isMember={session.loggedIn} />}
            {standing && <StandingNotice {...standing} />}
          </Suspense>
        </ScreenBoundary>
      )}
      {!hidden && (
        <div className={`row gap-2 muted type-mark ${css.development}`}>
          <p className="grow">{copy.banner}</p>
          <IconButton icon="close" label={copy.hideBanner} onClick={() => setClosed(true)} />
        </div>
      )}
    </aside>
  );
}
