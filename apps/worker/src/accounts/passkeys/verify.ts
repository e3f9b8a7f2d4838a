/** Verifies what browsers report of passkeys. The library loads when a passkey is first used, not with the worker. */
import type { PasskeyAssertion, PasskeyAttestation } from "@lambda/contract/passkeys";
import type { Context } from "../../platform/context.ts";
import { isValidChallenge, type Purpose } from "./challenge.ts";

/** EdDSA, ES256 and RS256: every authenticator supports one of them. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** Returns the passkey that was created for this purpose, with its challenge; undefined for anything else. */
export async function verifyNewPasskey(
  ctx: Pick<Context, "env" | "now">,
  purpose: Purpose,
  attestation: PasskeyAttestation,
) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  if (isCrossOrigin(attestation) || !(await isUnattested(attestation))) return undefined;
  const signed = { challenge: "" };
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, response: { ...attestation.response, transports: [] }, clientExtensionResults: {} },
      ...expectationsOf(ctx, purpose, signed),
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    const { id: credentialId, publicKey, counter } = credential;
    return { credential: { credentialId, publicKey, counter, backedUp: credentialBackedUp }, ...signed };
  } catch {
    return undefined;
  }
}

/** Returns what the passkey with this public key signed for this purpose, or undefined. Does not check its counter. */
export async function verifySignature(
  ctx: Pick<Context, "env" | "now">,
  purpose: Purpose,
  assertion: PasskeyAssertion,
  publicKey: Uint8Array,
) {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  if (isCrossOrigin(assertion)) return undefined;
  const signed = { challenge: "" };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      ...expectationsOf(ctx, purpose, signed),
      // Disables the library's counter check, which comes before the signature: a forged response would mark a passkey
      // as copied.
      credential: { id: assertion.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
    return verified ? { ...signed, counter, backedUp } : undefined;
  } catch {
    return undefined;
  }
}

/** What a response must contain. The library's call of `expectedChallenge` sets `signed.challenge`. */
function expectationsOf(ctx: Pick<Context, "env" | "now">, purpose: Purpose, signed: { challenge: string }) {
  return {
    expectedChallenge: (text: string) => {
      signed.challenge = text;
      return isValidChallenge(ctx, purpose, text);
    },
    expectedOrigin: purpose.site.origin,
    expectedRPID: purpose.site.rpId,
    requireUserVerification: true,
  };
}

/** Whether the page asked for the signature from within a frame of another site. */
function isCrossOrigin({ response }: PasskeyAssertion | PasskeyAttestation): boolean {
  try {
    const clientData = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as {
      crossOrigin?: unknown;
    };
    return clientData.crossOrigin === true;
  } catch {
    return true;
  }
}

/**
 * Accepts no certificates, since none are requested: they would make the worker fetch revocation lists from addresses
 * that a stranger put into them.
 */
async function isUnattested({ response }: PasskeyAttestation): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, "base64url")));
    const format = attestation.get("fmt");
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}
