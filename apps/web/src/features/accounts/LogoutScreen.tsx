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

/** Ends the session, then clears all data on this device. If the server is unreachable, says that the member is still logged in. */
export default function LogoutScreen() {
  const copy = useCopy(logoutCopy);
  const { mutateAsync, isError } = trpc.accounts.logout.useMutation();

  const logOut = useCallback(async () => {
    pauseReporting();
    try {
      await mutateAsync();
    } catch (error) {
      // The session is still active unless the server ended it (401), so position reporting must continue.
      if (errorStatusOf(error) !== 401) resumeReporting();
      throw error;
    }
    await clearAllLocalData();
    goTo("/login", { replace: true });
  }, [mutateAsync]);

  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    // isError shows the failure.
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
