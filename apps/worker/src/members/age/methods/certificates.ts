/** Chains of X.509 certificates, from the one that signed up to one that is trusted. */
import { X509Certificate } from "node:crypto";

/** The signer's, and at most two between it and the trusted one. */
const LONGEST_CHAIN = 3;

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

/** By name and by signature: a name alone is anybody's. */
function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && issuer.subject === certificate.issuer && certificate.verify(issuer.publicKey);
}

/** The first certificate is trusted itself, or every one is issued by the next and the last by a trusted one; all are valid now. */
export function isTrustedChain(chain: readonly Uint8Array[], trusted: readonly string[], now: Date): boolean {
  if (chain.length === 0 || chain.length > LONGEST_CHAIN) return false;
  const certificates = chain.map(readCertificate);
  const anchors = trusted.map((base64) => readCertificate(Buffer.from(base64, "base64")));
  for (const [at, certificate] of certificates.entries()) {
    if (!isValidAt(certificate, now)) return false;
    if (anchors.some((anchor) => anchor.raw.equals(certificate.raw))) return true;
    if (anchors.some((anchor) => isValidAt(anchor, now) && issued(anchor, certificate))) return true;
    const next = certificates[at + 1];
    if (!next || !issued(next, certificate)) return false;
  }
  return false;
}

/** A field of the issuer's name, such as its country "C". */
export function issuerNameField(certificate: X509Certificate, field: string): string[] {
  return certificate.issuer
    .split("\n")
    .filter((line) => line.startsWith(`${field}=`))
    .map((line) => line.slice(field.length + 1));
}
