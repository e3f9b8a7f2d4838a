/** Logging in by a passkey: by one press, or among what the browser offers to fill the address with. */
import { defineCopy } from "@lambda/contract/copy";
import { PASSKEY_CHALLENGE_TTL_MS } from "@lambda/contract/limits";
import type { PasskeyAssertion } from "@lambda/contract/passkeys";
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { everyInSight } from "../../../device/every-in-sight.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { LoginProblem } from "../login-error.ts";
import { isDismissed, signRequest } from "./webauthn.ts";

const signInCopy = defineCopy({
  en: {
    dismissed: "No passkey was used. A link by mail or your password works too.",
    refused: "This passkey opens no account here: it may have been removed. A link by mail or your password works too.",
  },
  es: {
    dismissed: "No se ha usado ninguna llave. También puedes entrar con un enlace por correo o con tu contraseña.",
    refused:
      "Esta llave no abre aquí ninguna cuenta: puede que se quitara. También puedes entrar con un enlace por correo o con tu contraseña.",
  },
});

/** A challenge that the page waits with is renewed before it runs out. */
const RENEWED_AFTER_MS = PASSKEY_CHALLENGE_TTL_MS * 0.8;

type LogIn = (call: () => Promise<void>) => unknown;

let pressed = false;
let offerAnew: (() => void) | undefined;

/** By the button. Rejects with words for the member. */
export async function logInByPasskey(): Promise<void> {
  pressed = true;
  try {
    await send(await sign(false));
  } catch (error) {
    if (isDismissed(error)) throw new LoginProblem(signInCopy[currentLocale()].dismissed);
    throw error;
  } finally {
    pressed = false;
    // The press took the place of what the fields offered.
    offerAnew?.();
  }
}

/** Offers passkeys in the fields until the answer is called; a login goes through `logIn`, as by the button. */
export function offerPasskeys(logIn: LogIn): () => void {
  const offer = async () => {
    if (pressed || !(await browserSupportsWebAuthnAutofill())) return;
    // Dismissed, replaced, or out of reach: the page is as good without it.
    const assertion = await sign(true).catch(() => undefined);
    if (assertion && offerAnew) await logIn(() => send(assertion));
  };
  offerAnew = () => void offer();
  offerAnew();
  const stopRenewing = everyInSight(RENEWED_AFTER_MS, () => offerAnew?.());
  return () => {
    stopRenewing();
    offerAnew = undefined;
    WebAuthnAbortService.cancelCeremony();
  };
}

async function sign(useBrowserAutofill: boolean): Promise<PasskeyAssertion> {
  return signRequest(await trpcClient.passkeys.loginRequest.query(), { useBrowserAutofill });
}

async function send(assertion: PasskeyAssertion): Promise<void> {
  const box = document.querySelector<HTMLInputElement>("input[name=remember]");
  try {
    await trpcClient.passkeys.logIn.mutate({ assertion, remember: box?.checked ?? false });
  } catch (error) {
    if (errorCodeOf(error) === "PASSKEY_REFUSED") throw new LoginProblem(signInCopy[currentLocale()].refused);
    throw error;
  }
}
