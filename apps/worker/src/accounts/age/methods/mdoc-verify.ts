/** Verifies one presented attestation. Each check has an outcome of its own; anything unreadable is malformed. */
import type { DeviceResponse, Document } from "@owf/mdoc";
import { isTrustedChain } from "./certificates.ts";
import { CLAIM, CREDENTIAL_ID, type MdocKind } from "./mdoc.ts";
import { type PresentationRequest, transcriptOf, verifyingContext } from "./mdoc-crypto.ts";
import { loadMdoc, type MdocLibrary } from "./mdoc-library.ts";
import type { VerificationResult } from "./method.ts";

interface Expected {
  readonly kind: MdocKind;
  readonly now: Date;
  readonly trusted: readonly string[];
  readonly request: PresentationRequest;
}

type Failure = Exclude<VerificationResult["outcome"], "proved">;

/** Tolerance for the clocks of issuers and wallets. */
const SKEW_SECONDS = 60;

export async function verifyMdoc(response: string, expected: Expected): Promise<VerificationResult> {
  const library = await loadMdoc();
  try {
    const presented = library.DeviceResponse.fromEncodedForOid4Vp(extractPresentation(response));
    const [document, ...others] = presented.documents ?? [];
    if (!document || presented.status !== 0) return { outcome: "malformed" };
    if (others.length > 0) return { outcome: "too-much" };
    const failure =
      checkDocument(document, expected) ??
      (await checkSignatures(library, presented, expected)) ??
      checkClaims(document, expected.kind);
    if (failure) return { outcome: failure };
    return { outcome: "proved", attestationHash: await hashAttestation(document.issuerSigned.issuerAuth.signature) };
  } catch {
    return { outcome: "malformed" };
  }
}

/**
 * Extracts the only presentation of a vp_token: an object with the query's id as its key, or plain text from older
 * wallets.
 */
function extractPresentation(response: string): string {
  if (!response.startsWith("{")) return response;
  const token = (JSON.parse(response) as Record<string, unknown>)[CREDENTIAL_ID];
  const [presentation, ...others] = Array.isArray(token) ? token : [token];
  if (typeof presentation !== "string" || others.length > 0) throw new Error("expected one presentation");
  return presentation;
}

function checkDocument(document: Document, { kind, now, trusted }: Expected): Failure | undefined {
  const { issuerAuth } = document.issuerSigned;
  const { docType, validityInfo } = issuerAuth.mobileSecurityObject;
  if (document.docType !== kind.docType || docType !== kind.docType) return "wrong-document";
  if (!isTrustedChain(issuerAuth.certificateChain, trusted, kind.signerPurposes, now)) return "unknown-issuer";
  const { validFrom, validUntil } = validityInfo;
  const skew = SKEW_SECONDS * 1000;
  if (validFrom.getTime() - skew > now.getTime() || validUntil.getTime() < now.getTime()) return "not-valid-now";
  return undefined;
}

/** Checks the issuer's signature, the digests of the disclosed items, and the device's signature over this request. */
async function checkSignatures(library: MdocLibrary, presented: DeviceResponse, { now, request }: Expected) {
  const ctx = verifyingContext(library);
  const sessionTranscript = await transcriptOf(library, request, ctx);
  let failed = false;
  await presented.verify(
    {
      sessionTranscript,
      now,
      trustedCertificates: [],
      disableCertificateChainValidation: true,
      skewSeconds: SKEW_SECONDS,
      onCheck: ({ status }) => {
        failed ||= status === "FAILED";
      },
    },
    ctx,
  );
  return failed ? "tampered" : undefined;
}

/** Accepts a claim to be over 18 and nothing else: data that was not requested is rejected. */
function checkClaims({ issuerSigned, deviceSigned }: Document, { namespace }: MdocKind): Failure | undefined {
  const namespaces = issuerSigned.issuerNamespaces.issuerNamespaces;
  const items = namespaces.get(namespace) ?? [];
  if (namespaces.size > 1 || items.length > 1 || deviceSigned.deviceNamespaces.deviceNamespaces.size > 0)
    return "too-much";
  const [item] = items;
  if (item && item.elementIdentifier !== CLAIM) return "too-much";
  return item?.elementValue === true ? undefined : "not-over-18";
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * SHA-256 of the issuer's signature in its low-s form. ECDSA has two valid forms of each signature, so an attestation
 * could otherwise be used twice.
 */
async function hashAttestation(signature: Uint8Array): Promise<Uint8Array> {
  const [r, s] = [Buffer.from(signature.subarray(0, 32)), Buffer.from(signature.subarray(32))];
  const value = BigInt(`0x${s.toString("hex")}`);
  const lower = value > P256_ORDER / 2n ? P256_ORDER - value : value;
  const normal = Buffer.concat([r, Buffer.from(lower.toString(16).padStart(64, "0"), "hex")]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", normal));
}
