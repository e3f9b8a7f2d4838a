import { useToast } from "@lambda/ui/toast";
import { useEffect } from "react";
import { useCopy } from "../../format/i18n.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";
import { type Session, setSessionHidden } from "../../session/session.ts";
import { positionCopy } from "./copy.ts";
import { hearReporting, send, startReporting, useReporting } from "./reporter.ts";

const REGISTER = "/register";
/** The map says GPS errors itself, beside the mode they ended. */
const MAP = "/search/map";

/** Reports the position of the member who is logged in, on every screen but the register page. Draws nothing. */
export function PositionReporter({ session, path }: { session: Session; path: string }) {
  const { profileId, context } = session;
  const hidden = context?.hidden ?? false;
  const copy = useCopy(positionCopy);
  const toast = useToast();
  const { shownError } = useReporting();

  useEffect(() => {
    if (profileId === 0) return;
    // A session that ended left reporting paused.
    resumeReporting();
    return startReporting(profileId, false);
  }, [profileId]);

  useEffect(() => {
    if (profileId !== 0) send({ type: "hiddenIs", hidden });
  }, [profileId, hidden]);

  useEffect(() => {
    if (path !== REGISTER) return;
    pauseReporting();
    return resumeReporting;
  }, [path]);

  useEffect(
    () =>
      hearReporting((what) => {
        const isDone = what === "hiding" || what === "visible";
        toast({ text: copy[what], tone: isDone ? "info" : "warn" });
        if (isDone) setSessionHidden(what === "hiding");
      }),
    [copy, toast],
  );

  useEffect(() => {
    if (!shownError || path === MAP) return;
    toast({ text: copy.gps(copy.errors[shownError]), tone: "warn" });
    send({ type: "errorRead" });
  }, [shownError, path, copy, toast]);

  return null;
}
