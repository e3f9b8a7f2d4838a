/** Validates chains of X.509 certificates, from the signer's up to a trusted one. */
import { X509Certificate } from "node:crypto";

/** The signer's certificate and at most two intermediate ones. */
const CHAIN_MAX_CERTIFICATES = 3;

export function readCertificate(der: Uint8Array): X509Certificate {
  return new X509Certificate(Buffer.from(der));
}

export function validFrom(certificate: X509Certificate): Date {
  return new Date(certificate.validFrom);
}

export function validTo(certificate: X509Certificate): Date {
  return new Date(certificate.validTo);
}

function isValidAt(certificate: X509Certificate, now: Date): boolean {
  return validFrom(certificate) <= now && now <= validTo(certificate);
}

/** Checks the name and the signature, since anybody can use a name. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && issuer.subject === certificate.issuer && certificate.verify(issuer.publicKey);
}

/**
 * Whether every certificate is valid now and issued by the next one, up to one that is trusted or issued by a trusted
 * one.
 */
export function isTrustedChain(chain: readonly Uint8Array[], trusted: readonly string[], now: Date): boolean {
  if (chain.length === 0 || chain.length > CHAIN_MAX_CERTIFICATES) return false;
  const certificates = chain.map(readCertificate);
  const anchors = trusted.map((base64) => readCertificate(Buffer.from(base64, "base64")));
  for (const [index, certificate] of certificates.entries()) {
    if (!isValidAt(certificate, now)) return false;
    if (anchors.some((anchor) => anchor.raw.equals(certificate.raw))) return true;
    if (anchors.some((anchor) => isValidAt(anchor, now) && hasIssued(anchor, certificate))) return true;
    const next = certificates[index + 1];
    if (!next || !hasIssued(next, certificate)) return false;
  }
  return false;
}

/** Reads a field of the issuer's name, such as its country "C". */
export function issuerNameField(certificate: X509Certificate, field: string): string[] {
  return certificate.issuer
    .split("\n")
    .filter((line) => line.startsWith(`${field}=`))
    .map((line) => line.slice(field.length + 1));
}
