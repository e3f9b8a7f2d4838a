import { PASSKEY_OFFER_DELAY_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import { trpcClient } from "../../api/client.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { createChunkLoader } from "../../routing/load-chunk.ts";
import { continueAfterLogin } from "./continue-after-login.ts";

export type LoginState = "idle" | "busy" | "done";

/** The last token that was sent. Tokens work once, and a screen may mount twice. */
let triedToken: string | null = null;

/** The question shown before a link logs in: whose account it opens, and whether it replaces the member's own session. */
export interface LinkConfirmation {
  readonly address: string;
  readonly replacesOwnSession: boolean;
}

/** Login by form, passkey or the token of a login link. `isRemembered` tells whether the member is to stay logged in. */
export function useLogin(isRemembered: () => boolean) {
  const search = useSearch();
  const [token] = useState(() => new URLSearchParams(search).get("token"));
  const [byForm, setByForm] = useState(false);
  const { state, error, attempt, fail } = useAttempt();
  const link = useLoginLink(token, attempt, fail);
  const logIn = async (form: { username: string; password: string; remember: boolean }) => {
    setByForm(true);
    void fail(await attempt(() => trpcClient.accounts.login.mutate(form)), form.username);
  };
  const passkeys = usePasskeys(isRemembered, attempt, fail);
  const byLink = token !== null && !byForm;
  return { logIn, passkeys, confirm: link.confirm, confirmation: link.confirmation, state, error, byLink };
}

/** Resolves to the error of a failed login; null after a success. */
type Attempt = (call: () => Promise<unknown>) => Promise<unknown>;

function useAttempt() {
  const [state, setState] = useState<LoginState>("idle");
  const [error, setError] = useState<string | null>(null);
  const fail = useCallback(async (failure: unknown, typed?: string) => {
    if (failure === null) return;
    const module = await loadErrorText().catch(() => undefined);
    setError(module ? module.loginErrorText(failure, typed) : String(failure));
  }, []);
  const attempt = useCallback<Attempt>(async (call) => {
    setState("busy");
    setError(null);
    try {
      await call();
      setState("done");
      await continueAfterLogin();
      return null;
    } catch (failure) {
      setState("idle");
      return failure;
    }
  }, []);
  return { state, error, attempt, fail };
}

// Loaded on demand, because most logins do not need them.
const loadErrorText = () => withDeadline(CHUNK_WAIT_MS, () => import("./login-error.ts"));
const signIn = createChunkLoader(() => import("./passkeys/sign-in.ts"));
const loadLinkAccount = () => withDeadline(CHUNK_WAIT_MS, () => import("./link-account.ts"));

/** The handler of the passkey button, or null if the browser does not support passkeys. Loads the code after the first screen. */
function usePasskeys(isRemembered: () => boolean, attempt: Attempt, onError: (error: unknown) => void) {
  const remembered = useRef(isRemembered);
  const [isSupported, setSupported] = useState(true);
  const logIn = useCallback(async (call: () => Promise<void>) => onError(await attempt(call)), [attempt, onError]);
  useEffect(() => {
    // Checked in an effect, because the first render must match the prerendered page.
    if (!("PublicKeyCredential" in window)) return setSupported(false);
    let stop = () => clearTimeout(timer);
    const timer = setTimeout(async () => {
      let isUnmounted = false;
      stop = () => {
        isUnmounted = true;
      };
      // Preloaded in case the network fails before the login.
      void loadErrorText().catch(() => undefined);
      // The offer is optional, so a failed download is ignored.
      const module = await signIn.preload();
      if (module && !isUnmounted) stop = module.offerPasskeys(remembered.current, logIn);
    }, PASSKEY_OFFER_DELAY_MS);
    return () => stop();
  }, [logIn]);
  return isSupported ? () => void logIn(async () => (await signIn.load()).logInByPasskey(isRemembered)) : null;
}

/** Logs in with the token in the URL. Asks for confirmation first if the link may belong to somebody else. */
function useLoginLink(token: string | null, attempt: Attempt, onError: (error: unknown) => void) {
  const [confirmation, setConfirmation] = useState<LinkConfirmation | null>(null);
  const open = useCallback(
    async (confirmed: boolean) => {
      if (!token) return;
      setConfirmation(null);
      // Removes the token from the address bar and the history: an unused token is a credential.
      history.replaceState(null, "", "/login");
      const failure = await attempt(() =>
        trpcClient.accounts.loginByToken.mutate({ token, remember: true, confirmed }),
      );
      if (errorCodeOf(failure) !== "LINK_UNCONFIRMED") return onError(failure);
      const { readTokenEmail } = await loadLinkAccount();
      setConfirmation({ address: readTokenEmail(token), replacesOwnSession: false });
    },
    [token, attempt, onError],
  );

  useEffect(() => {
    if (!token || token === triedToken) return;
    triedToken = token;
    // switchAccount sets this before it reloads the page; a link cannot set history.state.
    if (!hasSession()) return void open(history.state?.confirmed === true).catch(onError);
    // Otherwise an attacker could mail a link to the attacker's account, and one tap would silently switch to it.
    loadLinkAccount()
      .then(async ({ readTokenEmail, isOwnEmail }) => {
        const address = readTokenEmail(token);
        if ((await isOwnEmail(address)) || !hasSession()) return open(false);
        setConfirmation({ address, replacesOwnSession: true });
      })
      .catch(onError);
  }, [token, open, onError]);

  const confirm = async () => {
    if (!confirmation?.replacesOwnSession) return open(true);
    const failure = await (await loadLinkAccount()).switchAccount();
    setConfirmation(null);
    onError(failure);
  };
  return { confirmation, confirm: () => void confirm().catch(onError) };
}
