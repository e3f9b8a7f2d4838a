/**
 * Attestations that a member's own wallet presents (OpenID for Verifiable Presentations, ISO mdoc): no third party is
 * involved, and only age_over_18 is requested. The verification library loads with the first response, so that no other
 * request pays for it.
 */
import type { AgeMethod } from "@lambda/contract/age";
import type { Context } from "../../../platform/context.ts";
import { siteLink } from "../../../platform/mail/send-mail.ts";
import { DEVELOPMENT_ISSUER } from "../development/certificates.ts";
import type { Method, ProofRequest } from "./method.ts";

export interface MdocKind {
  readonly method: Extract<AgeMethod, "eu-av" | "mdl">;
  readonly docType: string;
  readonly namespace: string;
  /** URL scheme that opens a wallet with such documents. */
  readonly scheme: string;
  /** Extended key usages of the certificates that may sign such documents. */
  readonly signerPurposes: readonly string[];
}

/** Signers of mdocs by ISO 18013-5, and those of the European profile. */
const ISO_SIGNER = "1.0.18013.5.1.2";
const EU_SIGNER = "1.3.130.2.0.0.1.2";

export const CLAIM = "age_over_18";
export const CREDENTIAL_ID = "proof_of_age";

export const EU_AV: MdocKind = {
  method: "eu-av",
  docType: "eu.europa.ec.av.1",
  namespace: "eu.europa.ec.av.1",
  scheme: "av://",
  signerPurposes: [ISO_SIGNER, EU_SIGNER],
};
export const MDL: MdocKind = {
  method: "mdl",
  docType: "org.iso.18013.5.1.mDL",
  namespace: "org.iso.18013.5.1",
  scheme: "mdoc-openid4vp://",
  signerPurposes: [ISO_SIGNER],
};

/** The address to which a wallet posts its response. It names the request, so that a response fits no other. */
function responseUri(ctx: Pick<Context, "brand" | "request" | "env">, state: string): string {
  return siteLink(ctx, `/api/age/answer/${state}`);
}

/** Only ES256, for issuers and devices. */
const CLIENT_METADATA = {
  vp_formats_supported: { mso_mdoc: { issuerauth_alg_values: [-7], deviceauth_alg_values: [-7] } },
};

function dcqlQuery({ docType, namespace }: MdocKind) {
  return {
    credentials: [
      {
        id: CREDENTIAL_ID,
        format: "mso_mdoc",
        meta: { doctype_value: docType },
        claims: [{ path: [namespace, CLAIM], intent_to_retain: false }],
      },
    ],
  };
}

/** The same query for the browser's Digital Credentials API, which binds the response to this origin by itself. */
function digitalCredential(kind: MdocKind, nonce: string) {
  const data = {
    response_type: "vp_token",
    response_mode: "dc_api",
    nonce,
    client_metadata: CLIENT_METADATA,
    dcql_query: dcqlQuery(kind),
  };
  return { requests: [{ protocol: "openid4vp-v1-unsigned", data }] };
}

function walletLink(ctx: Context, kind: MdocKind, { state, nonce }: ProofRequest): string {
  const uri = responseUri(ctx, state);
  const query = new URLSearchParams({
    client_id: `redirect_uri:${uri}`,
    response_type: "vp_token",
    response_mode: "direct_post",
    response_uri: uri,
    nonce,
    state,
    client_metadata: JSON.stringify(CLIENT_METADATA),
    dcql_query: JSON.stringify(dcqlQuery(kind)),
  });
  return `${kind.scheme}?${query}`;
}

export function mdocMethod(kind: MdocKind): Method {
  return {
    method: kind.method,
    provider: () => null,
    isOffered: () => trustedIssuers(kind.method).length > 0,
    begin: async (ctx, request) => ({
      digitalCredential: digitalCredential(kind, request.nonce),
      link: walletLink(ctx, kind, request),
    }),
    verify: async (ctx, response, request) => {
      const { verifyMdoc } = await import("./mdoc-verify.ts");
      const uri = responseUri(ctx, request.state);
      return verifyMdoc(response, {
        kind,
        now: new Date(ctx.now),
        trusted: trustedIssuers(kind.method),
        request:
          request.channel === "browser"
            ? { origin: siteLink(ctx, ""), nonce: request.nonce }
            : { clientId: `redirect_uri:${uri}`, responseUri: uri, nonce: request.nonce },
      });
    },
  };
}

/**
 * The issuers whose signatures are trusted. A deployment bundles the operator's lists (packages/tooling/src/age-issuers.ts); nothing is
 * fetched at run time.
 */
type Lists = Readonly<Record<"eu-av" | "mdl", readonly string[]>>;
/** Replaced in the bundle of a deployment. */
declare const __AGE_ISSUERS__: Lists;

const LISTS: Lists = typeof __AGE_ISSUERS__ === "undefined" ? { "eu-av": [], mdl: [] } : __AGE_ISSUERS__;

/** Certificates of issuers, as base64 of their DER. */
function trustedIssuers(method: "eu-av" | "mdl"): readonly string[] {
  const certificates = LISTS[method];
  return __DEVELOPMENT__ ? [...certificates, DEVELOPMENT_ISSUER] : certificates;
}
