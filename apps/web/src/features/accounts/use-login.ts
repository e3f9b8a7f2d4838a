import { PASSKEYS_OFFERED_AFTER_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useState } from "react";
import { useSearch } from "wouter";
import * as calls from "../../api/account-calls.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { chunkOf } from "../../routing/load-chunk.ts";
import { openWantedPage } from "./open-wanted-page.ts";

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
  const { state, error, attempt, fail } = useAttempt();
  const link = useLoginLink(token, attempt, fail);
  const logIn = async (form: { username: string; password: string; remember: boolean }) => {
    setByForm(true);
    void fail(await attempt(() => calls.logIn(form)));
  };
  const passkeys = usePasskeys(attempt, fail);
  return { logIn, passkeys, confirm: link.confirm, asked: link.asked, state, error, byLink: token !== null && !byForm };
}

/** Answers why the login was refused; null when it was not. */
type Attempt = (call: () => Promise<unknown>) => Promise<unknown>;

function useAttempt() {
  const [state, setState] = useState<LoginState>("idle");
  const [error, setError] = useState<string | null>(null);
  const fail = useCallback(async (refusal: unknown) => {
    if (refusal === null) return;
    const words = await loadErrorText().catch(() => undefined);
    setError(words ? words.loginErrorText(refusal) : String(refusal));
  }, []);
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
  return { state, error, attempt, fail };
}

// What most logins do without comes when it is needed.
const loadErrorText = () => import("./login-error.ts");
const signIn = chunkOf(() => import("./passkeys/sign-in.ts"));
const loadLinkAccount = () => import("./link-account.ts");

/** Null in a browser that knows none. What the first screen does not need comes after it. */
function usePasskeys(attempt: Attempt, onError: (error: unknown) => void) {
  const [known, setKnown] = useState(true);
  const use = useCallback(async (call: () => Promise<void>) => onError(await attempt(call)), [attempt, onError]);
  useEffect(() => {
    // Asked here, so that the page comes as it was prerendered.
    if (!("PublicKeyCredential" in window)) return setKnown(false);
    let stop = () => clearTimeout(timer);
    const timer = setTimeout(async () => {
      let left = false;
      stop = () => {
        left = true;
      };
      // Here already, should the line break before the login.
      void loadErrorText().catch(() => undefined);
      // Without a server the page is as good without the offer.
      const offered = await signIn.preload();
      if (offered && !left) stop = offered.offerPasskeys(use);
    }, PASSKEYS_OFFERED_AFTER_MS);
    return () => stop();
  }, [use]);
  return known ? () => void use(async () => (await signIn.load()).logInByPasskey()) : null;
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
      if (errorCodeOf(refusal) !== "LINK_UNCONFIRMED") return onError(refusal);
      const { addressOf } = await loadLinkAccount();
      setAsked({ address: addressOf(token), inPlaceOfOwn: false });
    },
    [token, attempt, onError],
  );

  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    // Set by changeAccount before the page reloads; no link can bring it.
    if (!hasSession()) return void open(history.state?.confirmed === true).catch(onError);
    // Else anybody could send a member a link to their own account, and one touch would continue as that.
    loadLinkAccount()
      .then(async ({ addressOf, isOwn }) => {
        const address = addressOf(token);
        if ((await isOwn(address)) || !hasSession()) return open(false);
        setAsked({ address, inPlaceOfOwn: true });
      })
      .catch(onError);
  }, [token, open, onError]);

  const confirm = async () => {
    if (!asked?.inPlaceOfOwn) return open(true);
    const refusal = await (await loadLinkAccount()).changeAccount();
    setAsked(null);
    onError(refusal);
  };
  return { asked, confirm: () => void confirm().catch(onError) };
}
