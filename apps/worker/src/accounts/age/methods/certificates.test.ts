import "reflect-metadata";
import {
  BasicConstraintsExtension,
  type X509Certificate as Certificate,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { describe, expect, it } from "vitest";
import { isTrustedChain } from "./certificates.ts";
import { EU_AV, MDL } from "./mdoc.ts";

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const MDL_SIGNER = "1.0.18013.5.1.2";
const EU_SIGNER = "1.3.130.2.0.0.1.2";
const WEB_SERVER = "1.3.6.1.5.5.7.3.1";
const { digitalSignature, keyCertSign } = KeyUsageFlags;

interface Issued {
  readonly certificate: Certificate;
  readonly keys: CryptoKeyPair;
}

interface Options {
  readonly issuer?: Issued;
  readonly usages?: KeyUsageFlags | null;
  readonly purposes?: readonly string[];
  /** Omitted: no authority. */
  readonly ca?: { readonly pathLength?: number };
}

let serial = 0;
async function issue({ issuer, usages = digitalSignature, purposes = [], ca }: Options): Promise<Issued> {
  serial += 1;
  const keys = (await crypto.subtle.generateKey(ES256, true, ["sign", "verify"])) as CryptoKeyPair;
  const subject = `CN=Certificate ${serial}`;
  const certificate = await X509CertificateGenerator.create({
    serialNumber: String(serial),
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: ES256,
    extensions: [
      new BasicConstraintsExtension(ca !== undefined, ca?.pathLength, true),
      ...(usages === null ? [] : [new KeyUsagesExtension(usages, true)]),
      ...(purposes.length > 0 ? [new ExtendedKeyUsageExtension([...purposes], true)] : []),
    ],
  });
  return { certificate, keys };
}

const authority = (more: Options = {}) => issue({ usages: keyCertSign, ca: { pathLength: 0 }, ...more });
function isTrusted(chain: readonly Issued[], anchor: Issued, purposes = EU_AV.signerPurposes): boolean {
  const raw = chain.map(({ certificate }) => new Uint8Array(certificate.rawData));
  return isTrustedChain(raw, [anchor.certificate.toString("base64")], purposes, new Date());
}

describe("a signer's certificate", () => {
  it("counts if its authority issued it to sign attestations", async () => {
    const issuer = await authority();
    const [iso, european] = [
      await issue({ issuer, purposes: [MDL_SIGNER] }),
      await issue({ issuer, purposes: [EU_SIGNER] }),
    ];
    expect(isTrusted([iso], issuer)).toBe(true);
    expect(isTrusted([iso], issuer, MDL.signerPurposes)).toBe(true);
    expect(isTrusted([european], issuer)).toBe(true);
    expect(isTrusted([european], issuer, MDL.signerPurposes)).toBe(false);
    // Listed by itself.
    expect(isTrusted([iso], iso)).toBe(true);
  });

  it.each<[string, Options]>([
    ["for a web server", { purposes: [WEB_SERVER] }],
    ["for no purpose in particular", {}],
    ["for signing attestations, but with a key that may not sign", { purposes: [MDL_SIGNER], usages: keyCertSign }],
    ["for signing attestations, without a key usage", { purposes: [MDL_SIGNER], usages: null }],
  ])("does not count if it was issued %s", async (_, options) => {
    const issuer = await authority();
    const signer = await issue({ issuer, ...options });
    expect(isTrusted([signer], issuer)).toBe(false);
    expect(isTrusted([signer], signer)).toBe(false);
  });
});

describe("an issuer in a chain", () => {
  it.each<[string, Options, boolean]>([
    ["may issue", { usages: keyCertSign, ca: {} }, true],
    ["is a signer itself", { purposes: [MDL_SIGNER] }, false],
    ["is an authority whose key may not sign certificates", { ca: {} }, false],
    ["is an authority without a key usage", { usages: null, ca: {} }, false],
  ])("%s: %s", async (_, options, trusted) => {
    const root = await authority({ ca: {} });
    const middle = await issue({ issuer: root, ...options });
    const signer = await issue({ issuer: middle, purposes: [MDL_SIGNER] });
    expect(isTrusted([signer, middle], root)).toBe(trusted);
    expect(isTrusted([signer], middle)).toBe(trusted);
  });

  it.each([
    [0, false],
    [1, true],
  ])("that allows %i certificates below it has another one below it: %s", async (pathLength, trusted) => {
    const root = await authority({ ca: { pathLength } });
    const middle = await authority({ issuer: root });
    const signer = await issue({ issuer: middle, purposes: [MDL_SIGNER] });
    expect(isTrusted([signer, middle], root)).toBe(trusted);
    // The authority in the chain is bound by its own length, too.
    const lower = await authority({ issuer: middle });
    const deeper = await issue({ issuer: lower, purposes: [MDL_SIGNER] });
    expect(isTrusted([deeper, lower, middle], root)).toBe(false);
  });
});
