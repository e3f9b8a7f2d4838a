/**
 * Development only: an issuer and a wallet, with which tests and `npm start` run a complete proof. Issues attestations
 * in the European profile, and every kind of invalid one that a test needs.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { CoseKey, IssuerSigned, MdocContext } from "@owf/mdoc";
import { verifyingContext } from "../methods/mdoc-crypto.ts";
import { loadMdoc, type MdocLibrary } from "../methods/mdoc-library.ts";
import { SIGNERS } from "./certificates.ts";

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export interface AttestationOptions {
  readonly signer?: keyof typeof SIGNERS;
  readonly docType?: string;
  readonly namespace?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly validFrom?: Date;
  readonly validUntil?: Date;
}

/** An attestation and the key of the wallet that holds it, serialized so that a test can keep it. */
export interface HeldAttestation {
  readonly issued: string;
  readonly deviceKey: JsonWebKey;
}

/** Where to send the response, and what its signature must cover. */
export type WalletRequest =
  | { readonly clientId: string; readonly responseUri: string; readonly nonce: string }
  | { readonly origin: string; readonly nonce: string };

async function signWith(key: JsonWebKey, bytes: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("jwk", key, ES256, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(ES256, imported, bytes as Uint8Array<ArrayBuffer>));
}

/** An mdoc context that also signs, with keys that include their private part. */
function signingContext(library: MdocLibrary): MdocContext {
  const verifying = verifyingContext(library);
  const sign = ({ toBeSigned, key }: { toBeSigned: Uint8Array; key: CoseKey }) => {
    const { kty, crv, x, y, d } = key.jwk as unknown as JsonWebKey;
    return signWith({ kty, crv, x, y, d } as JsonWebKey, toBeSigned);
  };
  return { ...verifying, cose: { ...verifying.cose, sign1: { ...verifying.cose.sign1, sign } } };
}

const coseKey = (library: MdocLibrary, jwk: object) => library.CoseKey.fromJwk({ ...jwk, alg: "ES256" });

export async function issueAttestation(options: AttestationOptions = {}): Promise<HeldAttestation> {
  const library = await loadMdoc();
  const { signer = "trusted", docType = "eu.europa.ec.av.1", claims = { age_over_18: true } } = options;
  const { certificate, key } = SIGNERS[signer];
  const pair = (await crypto.subtle.generateKey(ES256, true, ["sign", "verify"])) as CryptoKeyPair;
  const deviceKey = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  const { kty, crv, x, y } = deviceKey;
  const validFrom = options.validFrom ?? new Date(Date.now() - DAY_MS);
  const issuer = new library.Issuer(docType, signingContext(library));
  issuer.addIssuerNamespace(options.namespace ?? docType, claims);
  const issued = await issuer.sign({
    signingKey: coseKey(library, key),
    algorithm: library.SignatureAlgorithm.ES256,
    digestAlgorithm: "SHA-256",
    validityInfo: {
      signed: validFrom,
      validFrom,
      validUntil: options.validUntil ?? new Date(Date.now() + 30 * DAY_MS),
    },
    deviceKeyInfo: { deviceKey: library.DeviceKey.fromJwk({ kty, crv, x, y } as Record<string, unknown>) },
    certificates: [Buffer.from(certificate, "base64")],
  });
  return { issued: issued.encodedForOid4Vci, deviceKey };
}

export interface PresentOptions {
  /** Presented instead of the requested document type. */
  readonly docType?: string;
  /** Changes the issued attestation before it is presented. */
  readonly tamper?: (library: MdocLibrary, issued: IssuerSigned) => IssuerSigned;
}

/** Returns the vp_token with which a wallet responds. */
export async function present(
  { issued, deviceKey }: HeldAttestation,
  request: WalletRequest,
  options: PresentOptions = {},
): Promise<string> {
  const library = await loadMdoc();
  const ctx = signingContext(library);
  const decoded = library.IssuerSigned.fromEncodedForOid4Vci(issued);
  const issuerSigned = options.tamper?.(library, decoded) ?? decoded;
  const sessionTranscript =
    "origin" in request
      ? await library.SessionTranscript.forOid4VpDcApi(request, ctx)
      : await library.SessionTranscript.forOid4Vp(request, ctx);
  const docType = options.docType ?? decoded.issuerAuth.mobileSecurityObject.docType;
  const deviceNamespaces = library.DeviceNamespaces.create({ deviceNamespaces: new Map() });
  const detachedPayload = library.DeviceAuthentication.create({ sessionTranscript, docType, deviceNamespaces }).encode({
    asDataItem: true,
  });
  const deviceSignature = await library.DeviceSignature.create(
    {
      unprotectedHeaders: library.UnprotectedHeaders.create({}),
      protectedHeaders: library.ProtectedHeaders.create({
        protectedHeaders: new Map([[library.Header.Algorithm, library.SignatureAlgorithm.ES256]]),
      }),
      detachedPayload,
      signingKey: coseKey(library, deviceKey),
    },
    ctx,
  );
  const deviceSigned = library.DeviceSigned.create({
    deviceNamespaces,
    deviceAuth: library.DeviceAuth.create({ deviceSignature }),
  });
  const document = library.Document.create({ docType, issuerSigned, deviceSigned });
  const response = library.DeviceResponse.createSimple({ version: "1.0", documents: [document], status: 0 });
  return JSON.stringify({ proof_of_age: [response.encodedForOid4Vp] });
}
