/** Verifies one presented attestation. Each check has a finding of its own; whatever cannot be read is malformed. */
import type { DeviceResponse, Document, SessionTranscript } from "@owf/mdoc";
import { isTrustedChain } from "./certificates.ts";
import { CLAIM, CREDENTIAL_ID, type MdocKind } from "./mdoc.ts";
import { verifyingContext } from "./mdoc-crypto.ts";
import { loadMdoc, type MdocLibrary } from "./mdoc-library.ts";
import type { Finding } from "./method.ts";

/** What the wallet was asked, which its signature covers. */
type Asked =
  | { readonly clientId: string; readonly responseUri: string; readonly nonce: string }
  | { readonly origin: string; readonly nonce: string };

interface Expected {
  readonly kind: MdocKind;
  readonly now: Date;
  readonly trusted: readonly string[];
  readonly asked: Asked;
}

type Refusal = Exclude<Finding["outcome"], "proved">;

/** Clocks of issuers and wallets differ. */
const SKEW_SECONDS = 60;

export async function verifyMdoc(response: string, expected: Expected): Promise<Finding> {
  const library = await loadMdoc();
  try {
    const presented = library.DeviceResponse.fromEncodedForOid4Vp(tokenOf(response));
    const [document, ...others] = presented.documents ?? [];
    if (!document || presented.status !== 0) return { outcome: "malformed" };
    if (others.length > 0) return { outcome: "too-much" };
    const refusal =
      refusalOfDocument(document, expected) ??
      (await refusalOfSignatures(library, presented, expected)) ??
      refusalOfClaims(document, expected.kind);
    if (refusal) return { outcome: refusal };
    return { outcome: "proved", attestationHash: await hashAttestation(document.issuerSigned.issuerAuth.signature) };
  } catch {
    return { outcome: "malformed" };
  }
}

/** The one presentation of a vp_token: an object by the query's ids, or the bare text of older wallets. */
function tokenOf(response: string): string {
  if (!response.startsWith("{")) return response;
  const token = (JSON.parse(response) as Record<string, unknown>)[CREDENTIAL_ID];
  const [presentation, ...others] = Array.isArray(token) ? token : [token];
  if (typeof presentation !== "string" || others.length > 0) throw new Error("one presentation was asked for");
  return presentation;
}

function refusalOfDocument(document: Document, { kind, now, trusted }: Expected): Refusal | undefined {
  const { issuerAuth } = document.issuerSigned;
  const { docType, validityInfo } = issuerAuth.mobileSecurityObject;
  if (document.docType !== kind.docType || docType !== kind.docType) return "wrong-document";
  if (!isTrustedChain(issuerAuth.certificateChain, trusted, now)) return "unknown-issuer";
  const { validFrom, validUntil } = validityInfo;
  const skew = SKEW_SECONDS * 1000;
  if (validFrom.getTime() - skew > now.getTime() || validUntil.getTime() < now.getTime()) return "not-valid-now";
  return undefined;
}

/** The issuer's signature, the digests of what is shown, and the device's signature over what it was asked here and now. */
async function refusalOfSignatures(
  library: MdocLibrary,
  presented: DeviceResponse,
  { now, asked }: Expected,
): Promise<Refusal | undefined> {
  const ctx = verifyingContext(library);
  const sessionTranscript: SessionTranscript =
    "origin" in asked
      ? await library.SessionTranscript.forOid4VpDcApi(asked, ctx)
      : await library.SessionTranscript.forOid4Vp(asked, ctx);
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

/** Over 18 and nothing else: what was not asked for is not taken. */
function refusalOfClaims({ issuerSigned, deviceSigned }: Document, { namespace }: MdocKind): Refusal | undefined {
  const spaces = issuerSigned.issuerNamespaces.issuerNamespaces;
  const items = spaces.get(namespace) ?? [];
  if (spaces.size > 1 || items.length > 1 || deviceSigned.deviceNamespaces.deviceNamespaces.size > 0) return "too-much";
  const [item] = items;
  if (item && item.elementIdentifier !== CLAIM) return "too-much";
  return item?.elementValue === true ? undefined : "not-over-18";
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** SHA-256 of the issuer's signature. Of its two equally valid forms the lower counts, or each attestation would count twice. */
async function hashAttestation(signature: Uint8Array): Promise<Uint8Array> {
  const [r, s] = [Buffer.from(signature.subarray(0, 32)), Buffer.from(signature.subarray(32))];
  const value = BigInt(`0x${s.toString("hex")}`);
  const lower = value > ORDER / 2n ? ORDER - value : value;
  const normal = Buffer.concat([r, Buffer.from(lower.toString(16).padStart(64, "0"), "hex")]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", normal));
}
