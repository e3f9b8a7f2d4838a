/** What a browser says that a passkey did, checked. The library loads with the first passkey that is used, not with the worker. */
import type { PasskeyAssertion, PasskeyAttestation } from "@lambda/contract/passkeys";
import type { Context } from "../../platform/context.ts";
import { isOwnChallenge, type Purpose } from "./challenge.ts";

/** EdDSA, ES256 and RS256: what every authenticator has one of. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly backedUp: boolean;
}

export interface Signed {
  readonly challenge: string;
  readonly counter: number;
  readonly backedUp: boolean;
}

/** The passkey that was made for this purpose, with the challenge it took; undefined for anything else. */
export async function verifyNewPasskey(
  ctx: Pick<Context, "env" | "now">,
  purpose: Purpose,
  attestation: PasskeyAttestation,
): Promise<{ credential: NewCredential; challenge: string } | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  if (isFramed(attestation) || !(await isUnattested(attestation))) return undefined;
  let challenge = "";
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, response: { ...attestation.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: (text) => {
        challenge = text;
        return isOwnChallenge(ctx, purpose, text);
      },
      expectedOrigin: purpose.site.origin,
      expectedRPID: purpose.site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    const { id: credentialId, publicKey, counter } = credential;
    return { credential: { credentialId, publicKey, counter, backedUp: credentialBackedUp }, challenge };
  } catch {
    return undefined;
  }
}

/** What the passkey with this public key signed for this purpose; undefined when it did not. Its counter is not judged here. */
export async function verifySignature(
  ctx: Pick<Context, "env" | "now">,
  purpose: Purpose,
  assertion: PasskeyAssertion,
  publicKey: Uint8Array,
): Promise<Signed | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  if (isFramed(assertion)) return undefined;
  let challenge = "";
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: (text) => {
        challenge = text;
        return isOwnChallenge(ctx, purpose, text);
      },
      expectedOrigin: purpose.site.origin,
      expectedRPID: purpose.site.rpId,
      requireUserVerification: true,
      // The library looks at the counter before the signature: a forged answer would mark a passkey as copied.
      credential: { id: assertion.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
    return verified ? { challenge, counter, backedUp } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a page of another site, with ours in a frame, had it sign. */
function isFramed({ response }: PasskeyAssertion | PasskeyAttestation): boolean {
  try {
    const told = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as { crossOrigin?: unknown };
    return told.crossOrigin === true;
  } catch {
    return true;
  }
}

/** None is asked for. One with certificates would have the worker ask for lists at addresses that a stranger wrote into them. */
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
