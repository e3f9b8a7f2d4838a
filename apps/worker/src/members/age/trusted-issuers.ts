/**
 * The issuers whose signatures are trusted. Their lists are written at deployment
 * (packages/tooling/src/age-issuers.ts); nothing is fetched at run time.
 */
import { DEVELOPMENT_ISSUER } from "./development/certificates.ts";
import euAv from "./issuers/eu-av.json" with { type: "json" };
import mdl from "./issuers/mdl.json" with { type: "json" };

const LISTS: Readonly<Record<"eu-av" | "mdl", { readonly certificates: readonly string[] }>> = { "eu-av": euAv, mdl };

/** Certificates of issuers, as base64 of their DER. */
export function trustedIssuers(method: "eu-av" | "mdl"): readonly string[] {
  const { certificates } = LISTS[method];
  return __DEVELOPMENT__ ? [...certificates, DEVELOPMENT_ISSUER] : certificates;
}
