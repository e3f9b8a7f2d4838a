import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useState } from "react";
import { Calls } from "../../lib/load-calls.ts";
import { goTo, takeReturn } from "../../lib/navigation.ts";
import { resumeReporting } from "../../lib/reporting.ts";

type Attempt = (client: typeof import("../../lib/trpc.ts")["trpcClient"]) => Promise<unknown>;
export type LoginState = "idle" | "busy" | "done";

/** A token that was tried: it works once, and a screen may be drawn twice. */
let triedToken: string | null = null;

/** Logging in by form or by the link's token; 250 ms after a yes he is where he wanted to go. */
export function useLogin() {
  const [token] = useState(() => new URLSearchParams(location.search).get("token"));
  const [state, setState] = useState<LoginState>("idle");
  const [error, setError] = useState<unknown>(null);
  const [byForm, setByForm] = useState(false);

  const attempt = useCallback(async (call: Attempt) => {
    setState("busy");
    setError(null);
    try {
      await Calls.load();
      const [{ trpcClient }, { queryClient }] = await Promise.all([
        import("../../lib/trpc.ts"),
        import("../../lib/query-client.ts"),
      ]);
      await call(trpcClient);
      setState("done");
      const whose = trpcClient.accounts.session.query().then(
        ({ profileId }) => profileId ?? 0,
        () => 0,
      );
      setTimeout(async () => {
        queryClient.clear();
        resumeReporting();
        const account = await whose;
        if (location.pathname === "/login") goTo(takeReturn(account), { replace: true });
      }, LOGIN_REDIRECT_MS);
    } catch (refusal) {
      setError(refusal);
      setState("idle");
    }
  }, []);

  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    // Out of the address bar and the history: a used link is of no use, an unused one is a key.
    history.replaceState(history.state, "", location.pathname);
    void attempt((client) => client.accounts.loginByToken.mutate({ token, remember: true }));
  }, [token, attempt]);

  const logIn = (form: { username: string; password: string; remember: boolean }) => {
    setByForm(true);
    void attempt((client) => client.accounts.login.mutate(form));
  };
  return { logIn, state, error, byLink: token !== null && !byForm };
}
