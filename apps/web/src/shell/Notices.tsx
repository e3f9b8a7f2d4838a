import { IconButton } from "@lambda/ui/icon-button";
import { useSyncExternalStore } from "react";
import { deviceKey, useDeviceValue } from "../device/device-storage.ts";
import { lazyPart } from "../routing/lazy-part.tsx";
import type { Session } from "../session/session.ts";
import { useShellCopy } from "./copy.ts";
import css from "./notices.module.css";
import { ScreenBoundary } from "./ScreenBoundary.tsx";

const BANNER_HIDDEN = deviceKey("banner_hidden", false, (value) => typeof value === "boolean");

// Rare, so not part of every first page.
const ClosingNotice = lazyPart(() => import("./ClosingNotice.tsx"));
const RestoredNotice = lazyPart(() => import("./RestoredNotice.tsx"));
const StandingNotice = lazyPart(() => import("./StandingNotice.tsx"));
const neverChanges = () => () => undefined;

/** What the server writes into the page, such as the last day of a site that closes; prerendered pages do not know it. */
function usePageFact(name: "closing" | "restored"): string | undefined {
  return useSyncExternalStore(
    neverChanges,
    () => document.documentElement.dataset[name],
    () => undefined,
  );
}

/** The end of the site, a restore, and the reason why a suspended or banned member is restricted. */
export function Notices({ session }: { session: Session }) {
  const copy = useShellCopy();
  const standing = session.context?.standing;
  const closing = usePageFact("closing");
  const restored = usePageFact("restored");
  if (!standing && !closing && !restored) return null;
  return (
    <aside className={`stack gap-2 ${css.notices}`} data-notices aria-label={copy.notices}>
      <ScreenBoundary>
        {restored && <RestoredNotice to={restored} />}
        {closing && <ClosingNotice day={closing} isMember={session.loggedIn} />}
        {standing && <StandingNotice {...standing} />}
      </ScreenBoundary>
    </aside>
  );
}

/** The banner about active development, below all that somebody came for. */
export function DevelopmentBanner() {
  const copy = useShellCopy();
  const [isClosed, setClosed] = useDeviceValue(BANNER_HIDDEN);
  if (isClosed) return null;
  return (
    <footer className={`row gap-2 ruled muted type-mark ${css.development}`}>
      <p className="grow">{copy.banner}</p>
      <IconButton icon="close" label={copy.hideBanner} onClick={() => setClosed(true)} />
    </footer>
  );
}
