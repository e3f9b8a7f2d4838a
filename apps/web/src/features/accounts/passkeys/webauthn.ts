/** Wraps the browser's WebAuthn API. Loaded on demand, because it imports the WebAuthn library. */
import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { DeadlinePassed, PROMPT_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";

/** Signs a challenge with a passkey. `useBrowserAutofill` offers it among the suggestions of a focused field instead of a dialog. */
export async function signRequest(
  { allowCredentials, ...request }: PasskeyRequest,
  { useBrowserAutofill = false } = {},
): Promise<PasskeyAssertion> {
  const optionsJSON = { ...request, ...(allowCredentials && { allowCredentials }) };
  const start = () => startAuthentication({ optionsJSON, useBrowserAutofill });
  // An offer among the suggestions waits until it is used or withdrawn.
  const { id, rawId, response } = await (useBrowserAutofill ? start() : withDeadline(PROMPT_WAIT_MS, start));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: "public-key",
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) },
  };
}

export async function createPasskey(optionsJSON: PasskeyCreation["options"]): Promise<PasskeyAttestation> {
  const { id, rawId, response } = await withDeadline(PROMPT_WAIT_MS, () => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type: "public-key", response: { clientDataJSON, attestationObject, transports } };
}

/** Whether the device already has a passkey for this account on this brand. */
export const isAlreadyRegistered = (error: unknown): boolean => (error as Error | null)?.name === "InvalidStateError";

/** Whether the member closed the browser's prompt or let it time out. Browsers deliberately report both the same way. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof DeadlinePassed || ["NotAllowedError", "AbortError"].includes((error as Error | null)?.name ?? "");
