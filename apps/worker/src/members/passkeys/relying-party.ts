import { createHmac } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { originOf } from "../../platform/http/address.ts";

/** Whom a passkey is for: each brand has its own, its host (docs/decisions/2026-11-22-one-passkey-a-brand.md). */
export interface RelyingParty {
  /** The host that browsers bind a passkey to. */
  readonly rpId: string;
  /** Where the page that has it sign must be. */
  readonly origin: string;
}

/** In production it owes nothing to the request. On a developer's machine it is the address that was asked. */
export function relyingParty({ brand, request }: Pick<Context, "brand" | "request">): RelyingParty {
  const url = new URL(__DEVELOPMENT__ ? request.url : originOf(brand));
  return { rpId: url.hostname, origin: url.origin };
}

/** How devices know the account: the same for all of its passkeys, and nothing that another member could recognise. */
export function userHandle({ POSITION_KEY }: Env, accountId: number): string {
  return createHmac("sha256", `passkey-user:${POSITION_KEY}`).update(String(accountId)).digest("base64url");
}
