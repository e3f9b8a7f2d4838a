/** The cryptography that the mdoc library leaves to its host, in WebCrypto: only ES256 and SHA-256. */
import type { CoseKey, MdocContext, SessionTranscript, Sign1 } from "@owf/mdoc";
import { issuerNameField, readCertificate, validFrom, validTo } from "./certificates.ts";
import type { MdocLibrary } from "./mdoc-library.ts";

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

const unsupported = (what: string) => () => {
  throw new Error(`${what} is not supported`);
};

/** Copies into an unshared buffer, as WebCrypto's types require. */
const toBytes = (bytes: Uint8Array) => new Uint8Array(bytes);

async function verifySignature(sign1: Sign1, key: CoseKey): Promise<boolean> {
  if (sign1.signatureAlgorithmName !== "ES256") return false;
  const { kty, crv, x, y } = key.jwk as unknown as JsonWebKey;
  const imported = await crypto.subtle.importKey("jwk", { kty, crv, x, y } as JsonWebKey, ES256, false, ["verify"]);
  return crypto.subtle.verify(ES256, imported, toBytes(sign1.signature), toBytes(sign1.toBeSigned));
}

/** What a wallet was asked for, and where to send it: its signature covers that. */
export type PresentationRequest =
  | { readonly clientId: string; readonly responseUri: string; readonly nonce: string }
  | { readonly origin: string; readonly nonce: string };

export const transcriptOf = (
  { SessionTranscript: Transcript }: MdocLibrary,
  request: PresentationRequest,
  ctx: MdocContext,
): Promise<SessionTranscript> =>
  "origin" in request ? Transcript.forOid4VpDcApi(request, ctx) : Transcript.forOid4Vp(request, ctx);

export function verifyingContext(library: MdocLibrary): MdocContext {
  return {
    crypto: {
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      digest: async ({ digestAlgorithm, bytes }) =>
        new Uint8Array(await crypto.subtle.digest(digestAlgorithm, bytes as Uint8Array<ArrayBuffer>)),
      calculateEphemeralMacKey: unsupported("a device MAC"),
    },
    cose: {
      sign1: { sign: unsupported("signing"), verify: ({ sign1, key }) => verifySignature(sign1, key) },
      mac0: { sign: unsupported("a MAC"), verify: unsupported("a MAC") },
    },
    x509: {
      getIssuerNameField: ({ certificate, field }) => issuerNameField(readCertificate(certificate), field),
      getPublicKey: ({ certificate }) =>
        library.CoseKey.fromJwk(
          readCertificate(certificate).publicKey.export({ format: "jwk" }) as Record<string, unknown>,
        ),
      // mdoc-verify.ts checks the chain before it calls the library.
      verifyCertificateChain: unsupported("chain verification by the library"),
      getCertificateData: ({ certificate }) => {
        const read = readCertificate(certificate);
        return {
          issuerName: read.issuer,
          subjectName: read.subject,
          serialNumber: read.serialNumber,
          thumbprint: read.fingerprint256,
          notBefore: validFrom(read),
          notAfter: validTo(read),
          pem: read.toString(),
        };
      },
    },
  };
}
