/** Validates chains of X.509 certificates, from the signer's up to a trusted one, and that each was issued for its part in the chain. */
import { X509Certificate } from "node:crypto";
import { AsnConvert } from "@peculiar/asn1-schema";
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  KeyUsage,
  KeyUsageFlags,
} from "@peculiar/asn1-x509";

/** The signer's certificate and at most two intermediate ones. */
const CHAIN_MAX_CERTIFICATES = 3;

export const readCertificate = (der: Uint8Array): X509Certificate => new X509Certificate(Buffer.from(der));

export const validFrom = (certificate: X509Certificate): Date => new Date(certificate.validFrom);

export const validTo = (certificate: X509Certificate): Date => new Date(certificate.validTo);

function isValidAt(certificate: X509Certificate, now: Date): boolean {
  return validFrom(certificate) <= now && now <= validTo(certificate);
}

/** Reads the extensions that the platform's class does not. */
function extensionsOf(certificate: X509Certificate) {
  const { extensions } = AsnConvert.parse(new Uint8Array(certificate.raw), Certificate).tbsCertificate;
  const find = <Type>(id: string, type: new () => Type): Type | undefined => {
    const found = extensions?.find(({ extnID }) => extnID === id);
    return found && AsnConvert.parse(found.extnValue, type);
  };
  return {
    constraints: find(id_ce_basicConstraints, BasicConstraints),
    usages: find(id_ce_keyUsage, KeyUsage)?.toNumber() ?? 0,
    purposes: [...(find(id_ce_extKeyUsage, ExtendedKeyUsage) ?? [])],
  };
}

/** Checks the name and the signature, since anybody can use a name, and that the issuer may issue above so many intermediate certificates. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate, intermediates: number): boolean {
  if (issuer.subject !== certificate.issuer || !certificate.verify(issuer.publicKey)) return false;
  const { constraints, usages } = extensionsOf(issuer);
  if (!constraints?.cA || !(usages & KeyUsageFlags.keyCertSign)) return false;
  return (constraints.pathLenConstraint ?? CHAIN_MAX_CERTIFICATES) >= intermediates;
}

/** An authority issues certificates for many purposes, such as its own web server. */
function maySign(certificate: X509Certificate, signerPurposes: readonly string[]): boolean {
  const { usages, purposes } = extensionsOf(certificate);
  return Boolean(usages & KeyUsageFlags.digitalSignature) && purposes.some((oid) => signerPurposes.includes(oid));
}

/**
 * Whether the first certificate is meant for one of the purposes, and every one is valid now and issued by the next one, up to one that
 * is trusted or issued by a trusted one.
 */
export function isTrustedChain(
  chain: readonly Uint8Array[],
  trusted: readonly string[],
  signerPurposes: readonly string[],
  now: Date,
): boolean {
  if (chain.length > CHAIN_MAX_CERTIFICATES) return false;
  const certificates = chain.map(readCertificate);
  const [signer] = certificates;
  if (!signer || !maySign(signer, signerPurposes)) return false;
  const anchors = trusted.map((base64) => readCertificate(Buffer.from(base64, "base64")));
  for (const [index, certificate] of certificates.entries()) {
    if (!isValidAt(certificate, now)) return false;
    if (anchors.some((anchor) => anchor.raw.equals(certificate.raw))) return true;
    if (anchors.some((anchor) => isValidAt(anchor, now) && hasIssued(anchor, certificate, index))) return true;
    const next = certificates[index + 1];
    if (!next || !hasIssued(next, certificate, index)) return false;
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
