import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useCallback, useEffect, useRef, useState } from "react";
import { trpcClient } from "../../api/client.ts";
import { errorStatusOf } from "../../api/error-body.ts";
import { knownAccountId } from "../../api/page-account.ts";
import { trpc } from "../../api/trpc.ts";
import { clearAllLocalData } from "../../device/clear-local-data.ts";
import { pauseReporting, resumeReporting } from "../../device/reporting.ts";
import { useWords } from "../../format/words.ts";
import { goTo } from "../../routing/navigation.ts";
import { outboxOf } from "../messaging/messages/outbox/outbox.ts";
import { EntryPage } from "./EntryPage.tsx";
import { useLogoutCopy } from "./logout-copy.ts";
import { hasRunningPlan, PlanWarning } from "./PlanWarning.tsx";

/** Ends the session, then clears all data on this device; asks first if messages wait to be sent or a plan with a friend runs. If the server is unreachable, says that the member is still logged in. */
export default function LogoutScreen() {
  const copy = useLogoutCopy();
  const { retry } = useWords();
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

  // isError shows a failure.
  const start = useCallback(() => void logOut().catch(() => undefined), [logOut]);
  /** How many messages wait, once the member has to decide. */
  const [waiting, setWaiting] = useState<number>();
  const ask = useCallback(async () => {
    // A tab that opens here may not know yet whose messages wait.
    const account = knownAccountId() || (await trpcClient.accounts.session.query().catch(() => undefined))?.profileId;
    const count = await outboxOf(account ?? 0).countWaiting();
    if (count > 0 || hasRunningPlan()) setWaiting(count);
    else start();
  }, [start]);
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void ask();
  }, [ask]);

  if (waiting !== undefined) {
    return (
      <EntryPage title={copy.logoutTitle} text={copy.logoutText}>
        {waiting > 0 && <Problem tone="warn" text={copy.waiting(waiting)} />}
        <PlanWarning />
        {waiting > 0 ? (
          <Button variant="primary" href="/chat/personal" label={copy.stay} />
        ) : (
          <Button variant="primary" href="/notifications#plan" label={copy.openPlan} />
        )}
        <Button
          variant="danger"
          label={copy.logOutAnyway}
          onClick={() => {
            setWaiting(undefined);
            start();
          }}
        />
      </EntryPage>
    );
  }
  return (
    <EntryPage title={copy.logoutTitle} text={copy.logoutText}>
      {isError ? (
        <>
          <Problem text={copy.logoutFailed} />
          <Button variant="primary" label={retry} onClick={() => void ask()} />
        </>
      ) : (
        <Banner role="status">{copy.loggingOut}</Banner>
      )}
      <Button href="/login" label={copy.loginAgain} />
    </EntryPage>
  );
}
