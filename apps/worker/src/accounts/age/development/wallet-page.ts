/**
 * Development only: an issuer and a wallet over HTTP, with which tests and `npm start` run a complete proof. Issues attestations in the
 * European profile, and every kind of invalid one that a test needs.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { CoseKey, IssuerSigned, MdocContext } from "@owf/mdoc";
import { escapeHtml } from "../../../platform/mail/send-mail.ts";
import { type PresentationRequest, transcriptOf, verifyingContext } from "../methods/mdoc-crypto.ts";
import { loadMdoc, type MdocLibrary } from "../methods/mdoc-library.ts";
import { SIGNERS } from "./certificates.ts";

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

interface AttestationOptions {
  readonly signer?: keyof typeof SIGNERS;
  readonly docType?: string;
  readonly namespace?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly validFrom?: Date;
  readonly validUntil?: Date;
}

/** An attestation and the key of the wallet that holds it, serialized so that a test can keep it. */
interface HeldAttestation {
  readonly issued: string;
  readonly deviceKey: JsonWebKey;
}

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

async function issueAttestation(options: AttestationOptions = {}): Promise<HeldAttestation> {
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

interface PresentOptions {
  /** Presented instead of the requested document type. */
  readonly docType?: string;
  /** Changes the issued attestation before it is presented. */
  readonly tamper?: (library: MdocLibrary, issued: IssuerSigned) => IssuerSigned;
}

/** Returns the vp_token with which a wallet responds. */
async function present(
  { issued, deviceKey }: HeldAttestation,
  request: PresentationRequest,
  options: PresentOptions = {},
): Promise<string> {
  const library = await loadMdoc();
  const ctx = signingContext(library);
  const decoded = library.IssuerSigned.fromEncodedForOid4Vci(issued);
  const issuerSigned = options.tamper?.(library, decoded) ?? decoded;
  const sessionTranscript = await transcriptOf(library, request, ctx);
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

interface WalletCommand {
  /** An attestation to reuse; if absent, a new one is issued. */
  readonly attestation?: HeldAttestation;
  readonly issue?: Omit<AttestationOptions, "validFrom" | "validUntil"> & { validFrom?: string; validUntil?: string };
  readonly request?: PresentationRequest;
  readonly present?: PresentOptions;
}

/** Issues an attestation, presents one, or both; returns what the wallet would hold and send. */
export async function handleWalletRequest(request: Request): Promise<Response> {
  const { attestation, issue = {}, request: walletRequest, present: options } = await request.json<WalletCommand>();
  const { validFrom, validUntil, ...rest } = issue;
  const held =
    attestation ??
    (await issueAttestation({
      ...rest,
      ...(validFrom && { validFrom: new Date(validFrom) }),
      ...(validUntil && { validUntil: new Date(validUntil) }),
    }));
  const started = performance.now();
  const token = walletRequest ? await present(held, walletRequest, options) : null;
  return Response.json({ attestation: held, token, ms: performance.now() - started });
}

/** The attestation that the page issued last, so that it can be presented twice, as nobody should. */
let held: HeldAttestation | undefined;

const CHOICES: Readonly<Record<string, AttestationOptions | "same">> = {
  "Show that I am over 18": {},
  "Show the same proof again": "same",
  "Show that I am under 18": { claims: { age_over_18: false } },
  "Show a proof of a stranger's issuer": { signer: "stranger" },
};

/** A wallet as a form without any script: does what a phone does with the link. */
export async function showWalletPage(
  request: Request,
  post: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const walletRequest = {
    clientId: query.get("client_id") ?? "",
    responseUri: query.get("response_uri") ?? "",
    nonce: query.get("nonce") ?? "",
  };
  const credential = (JSON.parse(query.get("dcql_query") ?? "{}").credentials ?? [])[0];
  const choice = query.get("choice");
  let outcome = "";
  if (choice !== null && CHOICES[choice]) {
    const options = CHOICES[choice];
    if (options !== "same" || !held) {
      const [namespace] = credential.claims[0].path;
      const order = options === "same" ? {} : options;
      held = await issueAttestation({ docType: credential.meta.doctype_value, namespace, ...order });
    }
    const body = new URLSearchParams({ vp_token: await present(held, walletRequest) });
    const { pathname } = new URL(walletRequest.responseUri);
    const response = await post(new Request(new URL(pathname, request.url), { method: "POST", body }));
    outcome = `${response.status} ${await response.text()}`;
  }
  const fields = [...query]
    .filter(([name]) => name !== "choice")
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
  const buttons = Object.keys(CHOICES).map((name) => `<p><button name="choice" value="${name}">${name}</button></p>`);
  const page = `<!doctype html><html lang="en"><title>Test wallet</title><h1>Test wallet</h1>
<p>Asked for: ${escapeHtml(JSON.stringify(credential?.claims ?? []))}</p>
<form>${fields.join("")}${buttons.join("")}</form><p role="status">${escapeHtml(outcome)}</p></html>`;
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
