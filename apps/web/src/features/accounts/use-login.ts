import { PASSKEYS_OFFERED_AFTER_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useState } from "react";
import { useSearch } from "wouter";
import * as calls from "../../api/account-calls.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { clearMemberData } from "../../device/clear-local-data.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";
import { openWantedPage } from "./open-wanted-page.ts";
import { knowsPasskeys } from "./passkeys/knows-passkeys.ts";

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
  const [byForm, setByForm] = useState(false);
  const { state, error, attempt, setError } = useAttempt();
  const link = useLoginLink(token, attempt, setError);
  const logIn = async (form: { username: string; password: string; remember: boolean }) => {
    setByForm(true);
    setError(await attempt(() => calls.logIn(form)));
  };
  const passkeys = usePasskeys(attempt, setError);
  return { logIn, passkeys, confirm: link.confirm, asked: link.asked, state, error, byLink: token !== null && !byForm };
}

/** Answers why the login was refused; null when it was not. */
type Attempt = (call: () => Promise<unknown>) => Promise<unknown>;

function useAttempt() {
  const [state, setState] = useState<LoginState>("idle");
  const [error, setError] = useState<unknown>(null);
  const attempt = useCallback<Attempt>(async (call) => {
    setState("busy");
    setError(null);
    try {
      await call();
      setState("done");
      openWantedPage();
      return null;
    } catch (refusal) {
      setState("idle");
      return refusal;
    }
  }, []);
  return { state, error, attempt, setError };
}

const loadSignIn = () => import("./passkeys/sign-in.ts");

/** Null in a browser that knows none. What a first screen does not need comes after it. */
function usePasskeys(attempt: Attempt, onError: (error: unknown) => void) {
  const [known, setKnown] = useState(true);
  const use = useCallback(async (call: () => Promise<void>) => onError(await attempt(call)), [attempt, onError]);
  useEffect(() => {
    setKnown(knowsPasskeys());
    if (!knowsPasskeys()) return;
    let stop: (() => void) | undefined;
    const timer = setTimeout(async () => {
      const { offerPasskeys } = await loadSignIn();
      if (stop !== ended) stop = offerPasskeys(use);
    }, PASSKEYS_OFFERED_AFTER_MS);
    const ended = () => {};
    return () => {
      clearTimeout(timer);
      stop?.();
      stop = ended;
    };
  }, [use]);
  return known ? () => void use(async () => (await loadSignIn()).logInByPasskey()) : null;
}

/** Opens the link that the address carries, and asks before that where it is not plain whose account it is to be. */
function useLoginLink(token: string | null, attempt: Attempt, onError: (error: unknown) => void) {
  const [asked, setAsked] = useState<LinkQuestion | null>(null);
  const open = useCallback(
    async (confirmed: boolean) => {
      if (!token) return;
      setAsked(null);
      // Out of the address bar and the history: a used link is of no use, an unused one is a key.
      history.replaceState(null, "", location.pathname);
      const refusal = await attempt(() => calls.logInByToken({ token, remember: true, confirmed }));
      if (errorCodeOf(refusal) === "LINK_UNCONFIRMED") setAsked({ address: addressOf(token), inPlaceOfOwn: false });
      else onError(refusal);
    },
    [token, attempt, onError],
  );

  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    const address = addressOf(token);
    // Set by changeAccount before the page reloads; no link can bring it.
    if (!hasSession()) return void open(history.state?.confirmed === true);
    // Else anybody could send a member a link to their own account, and one touch would continue as that.
    void isOwn(address).then((own) => (own || !hasSession() ? open(false) : setAsked({ address, inPlaceOfOwn: true })));
  }, [token, open]);

  const confirm = async () => {
    if (!asked?.inPlaceOfOwn) return open(true);
    const refusal = await changeAccount();
    setAsked(null);
    onError(refusal);
  };
  return { asked, confirm: () => void confirm() };
}

/** The own session ends as by logout, and the page opens the link anew as a visitor. Answers why it could not. */
async function changeAccount(): Promise<unknown> {
  pauseReporting();
  try {
    await calls.logOut();
    await clearMemberData();
    history.replaceState({ confirmed: true }, "");
    location.reload();
    // The page is going: nothing comes after this.
    return new Promise<never>(() => {});
  } catch (refusal) {
    resumeReporting();
    return refusal;
  }
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
