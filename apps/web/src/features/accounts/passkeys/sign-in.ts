/** Passkey login, by a button or from the browser's autofill suggestions in the email field. */
import { defineCopy } from "@lambda/contract/copy";
import { PASSKEY_CHALLENGE_TTL_MS } from "@lambda/contract/limits";
import type { PasskeyAssertion } from "@lambda/contract/passkeys";
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { setIntervalWhileVisible } from "../../../device/set-interval-while-visible.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { LoginError } from "../login-error.ts";
import { isDismissed, signRequest } from "./webauthn.ts";

const signInCopy = defineCopy({
  en: {
    dismissed: "No passkey was used. A link by mail or your password works too.",
    refused: "This passkey opens no account here: it may have been removed. A link by mail or your password works too.",
  },
  es: {
    dismissed: "No se usó ninguna llave. También sirve un enlace por correo o tu contraseña.",
    refused:
      "Esta llave no abre ninguna cuenta aquí: quizá la quitaste. También sirve un enlace por correo o tu contraseña.",
  },
});

/** Renews the pending challenge before it expires. */
const CHALLENGE_RENEWAL_MS = PASSKEY_CHALLENGE_TTL_MS * 0.8;

type LogIn = (call: () => Promise<void>) => unknown;

let isButtonLogin = false;
let restartOffer: (() => void) | undefined;

/** Logs in after the button was pressed. Rejects with a LoginError. */
export async function logInByPasskey(isRemembered: () => boolean): Promise<void> {
  isButtonLogin = true;
  try {
    await send(await sign(false), isRemembered());
  } catch (error) {
    if (isDismissed(error)) throw new LoginError(signInCopy[currentLocale()].dismissed);
    throw error;
  } finally {
    isButtonLogin = false;
    // The button's request cancelled the autofill offer.
    restartOffer?.();
  }
}

/** Offers passkeys by autofill and logs in through `logIn` when one is chosen. Returns the function that withdraws the offer. */
export function offerPasskeys(isRemembered: () => boolean, logIn: LogIn): () => void {
  const offer = async () => {
    if (isButtonLogin || !(await browserSupportsWebAuthnAutofill())) return;
    // The offer is optional, so dismissals and network errors are ignored.
    const assertion = await sign(true).catch(() => undefined);
    if (assertion && restartOffer) await logIn(() => send(assertion, isRemembered()));
  };
  restartOffer = () => void offer();
  restartOffer();
  const stopRenewing = setIntervalWhileVisible(CHALLENGE_RENEWAL_MS, () => restartOffer?.());
  return () => {
    stopRenewing();
    restartOffer = undefined;
    WebAuthnAbortService.cancelCeremony();
  };
}

async function sign(useBrowserAutofill: boolean): Promise<PasskeyAssertion> {
  return signRequest(await trpcClient.passkeys.loginRequest.query(), { useBrowserAutofill });
}

async function send(assertion: PasskeyAssertion, remember: boolean): Promise<void> {
  try {
    await trpcClient.passkeys.logIn.mutate({ assertion, remember });
  } catch (error) {
    if (errorCodeOf(error) === "PASSKEY_REFUSED") throw new LoginError(signInCopy[currentLocale()].refused);
    throw error;
  }
}
