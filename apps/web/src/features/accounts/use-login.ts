import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useState } from "react";
import { useSearch } from "wouter";
import * as calls from "../../api/account-calls.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { queryClient } from "../../api/query-client.ts";
import { clearMemberData } from "../../device/clear-local-data.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { goTo, takeReturn } from "../../routing/navigation.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";

export type LoginState = "idle" | "busy" | "done";

/** A token that was tried: it works once, and a screen may be drawn twice. */
let triedToken: string | null = null;

/** What is asked before a link logs in: whose account it opens, and whether that replaces the member's own session. */
export interface LinkQuestion {
  readonly address: string;
  readonly inPlaceOfOwn: boolean;
}

/** Logging in by form or by the link's token; 250 ms after a success the wanted page opens. */
export function useLogin() {
  const search = useSearch();
  const [token] = useState(() => new URLSearchParams(search).get("token"));
  const [state, setState] = useState<LoginState>("idle");
  const [error, setError] = useState<unknown>(null);
  const [byForm, setByForm] = useState(false);
  const [asked, setAsked] = useState<LinkQuestion | null>(null);

  const attempt = useCallback(
    async (call: () => Promise<unknown>) => {
      setState("busy");
      setError(null);
      try {
        await call();
        setState("done");
        const whose = calls.fetchSession().then(
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
        setState("idle");
        if (token && errorCodeOf(refusal) === "LINK_UNCONFIRMED") {
          return setAsked({ address: addressOf(token), inPlaceOfOwn: false });
        }
        setError(refusal);
      }
    },
    [token],
  );

  const openLink = useCallback(
    (confirmed: boolean) => {
      if (!token) return;
      setAsked(null);
      // Out of the address bar and the history: a used link is of no use, an unused one is a key.
      history.replaceState(null, "", location.pathname);
      void attempt(() => calls.logInByToken({ token, remember: true, confirmed }));
    },
    [token, attempt],
  );

  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    const address = addressOf(token);
    // Set by changeAccount before it begins anew; no link can bring it.
    if (!hasSession()) return openLink(history.state?.confirmed === true);
    // Else anybody could send a member a link to their own account, and one touch would continue as that.
    void isOwn(address).then((own) =>
      own || !hasSession() ? openLink(false) : setAsked({ address, inPlaceOfOwn: true }),
    );
  }, [token, openLink]);

  /** Changes to the link's account: the own session ends as by logout, and the page opens the link anew as a visitor. */
  const changeAccount = async () => {
    pauseReporting();
    try {
      await calls.logOut();
      await clearMemberData();
      history.replaceState({ confirmed: true }, "");
      location.reload();
    } catch (refusal) {
      resumeReporting();
      setAsked(null);
      setError(refusal);
    }
  };

  const logIn = (form: { username: string; password: string; remember: boolean }) => {
    setByForm(true);
    void attempt(() => calls.logIn(form));
  };
  const confirm = () => void (asked?.inPlaceOfOwn ? changeAccount() : openLink(true));
  return { logIn, confirm, asked, state, error, byLink: token !== null && !byForm };
}

/** Whose a link says it is; nothing for what is no link of ours, which the server refuses. */
function addressOf(token: string): string {
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
    return new TextDecoder().decode(bytes).split(":")[0]?.trim().toLowerCase() ?? "";
  } catch {
    return "";
  }
}

async function isOwn(address: string): Promise<boolean> {
  try {
    return (await calls.fetchOwnSettings()).email === address;
  } catch {
    return false;
  }
}
