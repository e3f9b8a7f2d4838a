import { useToast } from "@lambda/ui/toast";
import { useEffect, useRef } from "react";
import { trpc } from "../../../api/trpc.ts";
import { pauseReporting, resumeReporting } from "../../../device/reporting.ts";
import type { Session } from "../../../session/session.ts";
import { usePositionCopy } from "./copy.ts";
import { dispatchReporting, startReporting, subscribeNotices, useReporting } from "./reporter.ts";

const REGISTER = "/register";
const WELCOME = "/welcome";
/** The map shows GPS errors itself, next to the mode buttons. */
const MAP = "/search/map";

/** Reports the logged-in member's position on every screen except registration. Renders nothing. */
export function PositionReporter({ session, path }: { session: Session; path: string }) {
  const { profileId, context } = session;
  const { hidden = false, discreet = false } = context ?? {};
  const copy = usePositionCopy();
  const toast = useToast();
  const { shownError, isReady, serverPosition } = useReporting();
  const utils = trpc.useUtils();
  const { session: cache } = utils.accounts;

  useEffect(() => {
    if (profileId === 0) return;
    // Reporting stays paused after a session ends.
    resumeReporting();
    return startReporting(profileId, false);
  }, [profileId]);

  useEffect(() => {
    if (profileId !== 0) dispatchReporting({ type: "hiddenChanged", hidden });
  }, [profileId, hidden]);

  useEffect(() => {
    if (path !== REGISTER) return;
    pauseReporting();
    return resumeReporting;
  }, [path]);

  // Lists of members near are measured from here: a page from before would be of another place.
  const { lat, lon } = serverPosition?.published ?? {};
  const here = isReady ? `${lat} ${lon}` : undefined;
  const searchedFrom = useRef(here);
  useEffect(() => {
    const hasMoved = searchedFrom.current !== undefined && here !== undefined && here !== searchedFrom.current;
    searchedFrom.current = here ?? searchedFrom.current;
    if (hasMoved) void utils.positions.nearest.invalidate();
  }, [here, utils]);

  useEffect(() => {
    if (profileId === 0 || path !== WELCOME) return;
    dispatchReporting({ type: "choosing", choosing: true });
    return () => dispatchReporting({ type: "choosing", choosing: false });
  }, [profileId, path]);

  useEffect(
    () =>
      subscribeNotices((notice) => {
        const isDone = notice === "hiding" || notice === "visible";
        const text = copy[notice === "visible" && discreet ? "visibleToFew" : notice];
        toast({ text, tone: isDone ? "info" : "warn" });
        if (!isDone) return;
        // Screens need not wait for the next response, but one from before must not tell the opposite for minutes.
        cache.setData(undefined, (known) => known && { ...known, hidden: notice === "hiding" });
        void cache.invalidate();
      }),
    [copy, toast, discreet, cache],
  );

  useEffect(() => {
    if (!shownError || path === MAP) return;
    toast({ text: copy.gps(copy.errors[shownError]), tone: "warn" });
    dispatchReporting({ type: "errorDismissed" });
  }, [shownError, path, copy, toast]);

  return null;
}
