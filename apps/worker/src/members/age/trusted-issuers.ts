/**
 * The issuers whose signatures are trusted. A deployment bundles the operator's lists (packages/tooling/src/age-issuers.ts); nothing is
 * fetched at run time.
 */
import { DEVELOPMENT_ISSUER } from "./development/certificates.ts";

type Lists = Readonly<Record<"eu-av" | "mdl", readonly string[]>>;
/** Replaced in the bundle of a deployment. */
declare const __AGE_ISSUERS__: Lists;

const LISTS: Lists = typeof __AGE_ISSUERS__ === "undefined" ? { "eu-av": [], mdl: [] } : __AGE_ISSUERS__;

/** Certificates of issuers, as base64 of their DER. */
export function trustedIssuers(method: "eu-av" | "mdl"): readonly string[] {
  const certificates = LISTS[method];
  return __DEVELOPMENT__ ? [...certificates, DEVELOPMENT_ISSUER] : certificates;
}
