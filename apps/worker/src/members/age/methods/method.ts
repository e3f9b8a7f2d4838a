import type { AgeMethod, AgeOutcome } from "@lambda/contract/age";
import type { Context } from "../../../platform/context.ts";

/** By which way an answer came: posted by a wallet, or handed over by the browser that asked. */
export type Channel = "direct_post" | "browser";

/** What a request is made of; all that an answer must fit. */
export interface Request {
  /** Names the request; whoever answers names it. */
  readonly state: string;
  readonly nonce: string;
}

export interface Asking {
  readonly digitalCredential: Readonly<Record<string, unknown>> | null;
  readonly link: string;
  /** Kept by the server alone until the answer. */
  readonly verifier?: string;
}

export type Finding =
  | { readonly outcome: "proved"; readonly attestationHash: Uint8Array }
  | { readonly outcome: Exclude<AgeOutcome, "proved" | "used-before"> };

export interface Method {
  readonly method: AgeMethod;
  /** Whom a member is sent to; null where nobody stands between. */
  provider(env: Context["env"]): string | null;
  /** Whether this site can verify what the method brings. */
  isOffered(env: Context["env"]): boolean;
  begin(ctx: Context, request: Request): Promise<Asking>;
  /** Never throws for what an answer says: whatever is in it, it is a finding. */
  verify(
    ctx: Context,
    response: string,
    request: Request & { readonly channel: Channel; readonly verifier: string | null },
  ): Promise<Finding>;
}
