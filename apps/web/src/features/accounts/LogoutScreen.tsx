import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useCallback, useEffect, useRef } from "react";
import { errorStatusOf } from "../../api/error-body.ts";
import { trpc } from "../../api/trpc.ts";
import { clearAllLocalData } from "../../device/clear-local-data.ts";
import { useCopy } from "../../format/i18n.ts";
import { goTo } from "../../routing/navigation.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";
import { EntryPage } from "./EntryPage.tsx";
import { logoutCopy } from "./logout-copy.ts";

/** Ends the session, then forgets everything on this device. When the server cannot be reached the member stays logged in, and is told so. */
export default function LogoutScreen() {
  const copy = useCopy(logoutCopy);
  const { mutateAsync, isError } = trpc.accounts.logout.useMutation();

  const logOut = useCallback(async () => {
    pauseReporting();
    try {
      await mutateAsync();
    } catch (error) {
      // The session goes on, so hiding must work; reporting stays paused only where the server ended it.
      if (errorStatusOf(error) !== 401) resumeReporting();
      throw error;
    }
    await clearAllLocalData();
    goTo("/login", { replace: true });
  }, [mutateAsync]);

  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // A failure is on the screen by isError.
    logOut().catch(() => undefined);
  }, [logOut]);

  return (
    <EntryPage title={copy.logoutTitle} text={copy.logoutText}>
      {isError ? (
        <>
          <Banner tone="danger" role="alert">
            {copy.logoutFailed}
          </Banner>
          <Button variant="primary" onClick={() => logOut().catch(() => undefined)}>
            {copy.retry}
          </Button>
        </>
      ) : (
        <Banner role="status">{copy.loggingOut}</Banner>
      )}
      <Button href="/login">{copy.loginAgain}</Button>
    </EntryPage>
  );
}
