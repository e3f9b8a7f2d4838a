/** What the browser does with passkeys. The library comes with this file, which nothing loads before it is needed. */
import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreation, PasskeyRequest } from "@lambda/contract/passkeys";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** Has a passkey sign. `useBrowserAutofill`: offered among what the browser fills fields with, when the member comes to one. */
export async function signRequest(
  { allowCredentials, ...request }: PasskeyRequest,
  { useBrowserAutofill = false } = {},
): Promise<PasskeyAssertion> {
  const optionsJSON = { ...request, ...(allowCredentials && { allowCredentials }) };
  const { id, rawId, response } = await startAuthentication({ optionsJSON, useBrowserAutofill });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const told = { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) };
  return { id, rawId, type: "public-key", response: told };
}

export async function makePasskey(optionsJSON: PasskeyCreation["options"]): Promise<PasskeyAttestation> {
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type: "public-key", response: { clientDataJSON, attestationObject, transports } };
}

/** The device has a passkey of this account for this site already. */
export const isMadeBefore = (error: unknown): boolean => (error as Error | null)?.name === "InvalidStateError";

/** The member closed the browser's question, or let it wait too long; the two are not told apart, so that no site learns more. */
export const isDismissed = (error: unknown): boolean =>
  ["NotAllowedError", "AbortError"].includes((error as Error | null)?.name ?? "");
