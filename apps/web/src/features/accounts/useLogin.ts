import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { useEffect, useRef, useState } from "react";
import { goTo, takeReturn } from "../../lib/navigation.ts";
import { queryClient } from "../../lib/query-client.ts";
import { resumeReporting } from "../../lib/reporting.ts";
import { trpc } from "../../lib/trpc.ts";

export type LoginState = "idle" | "busy" | "done";

/** A token that was tried: it works once, and a screen may be drawn twice. */
let triedToken: string | null = null;

/** Logging in by form or by the link's token; 250 ms after a yes he is where he wanted to go. */
export function useLogin() {
  const [token] = useState(() => new URLSearchParams(location.search).get("token"));
  const [done, setDone] = useState(false);

  const onSuccess = () => {
    setDone(true);
    setTimeout(() => {
      queryClient.clear();
      resumeReporting();
      if (location.pathname === "/login") goTo(takeReturn(), { replace: true });
    }, LOGIN_REDIRECT_MS);
  };
  const byPassword = trpc.accounts.login.useMutation({ onSuccess });
  const byToken = trpc.accounts.loginByToken.useMutation({ onSuccess });

  const redeem = useRef(byToken.mutate);
  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    // Out of the address bar and the history: a used link is of no use, an unused one is a key.
    history.replaceState(history.state, "", location.pathname);
    redeem.current({ token, remember: true });
  }, [token]);

  const busy = byPassword.isPending || byToken.isPending;
  return {
    logIn: byPassword.mutate,
    state: (done ? "done" : busy ? "busy" : "idle") as LoginState,
    error: busy || done ? null : (byPassword.error ?? byToken.error),
    byLink: token !== null && byPassword.isIdle,
  };
}
