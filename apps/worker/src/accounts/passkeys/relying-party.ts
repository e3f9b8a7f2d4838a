import type { Context } from "../../platform/context.ts";
import { originOf } from "../../platform/http/address.ts";

/**
 * The site that a passkey is for: each brand has its own, identified by its host
 * (docs/decisions/2026-11-22-one-passkey-per-brand.md).
 */
export interface RelyingParty {
  /** The host that browsers bind a passkey to. */
  readonly rpId: string;
  /** Origin that the page asking for a signature must have. */
  readonly origin: string;
}

/** In production it depends on nothing in the request. On a developer's machine it is the requested address. */
export function relyingParty({ brand, request }: Pick<Context, "brand" | "request">): RelyingParty {
  const url = new URL(__DEVELOPMENT__ ? request.url : originOf(brand));
  return { rpId: url.hostname, origin: url.origin };
}
