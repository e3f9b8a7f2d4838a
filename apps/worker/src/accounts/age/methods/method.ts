import type { AgeMethod, AgeOutcome } from "@lambda/contract/age";
import type { Context } from "../../../platform/context.ts";

/** How a response arrived: posted by a wallet, or submitted by the browser that asked. */
export type Channel = "direct_post" | "browser";

/** Values that identify a request; a response must match both. */
export interface ProofRequest {
  /** Identifies the request; every response carries it. */
  readonly state: string;
  readonly nonce: string;
}

export interface ProofStart {
  readonly digitalCredential: Readonly<Record<string, unknown>> | null;
  readonly link: string;
  /** PKCE verifier. Stays on the server until the response arrives. */
  readonly verifier?: string;
}

export type VerificationResult =
  | { readonly outcome: "proved"; readonly attestationHash: Uint8Array }
  | { readonly outcome: Exclude<AgeOutcome, "proved" | "used-before"> };

export interface Method {
  readonly method: AgeMethod;
  /** Name of the third party that a member is sent to; null if there is none. */
  provider(env: Context["env"]): string | null;
  /** Whether this site can verify proofs of this method. */
  isOffered(env: Context["env"]): boolean;
  begin(ctx: Context, request: ProofRequest): Promise<ProofStart>;
  /** Never throws because of a response: whatever it contains has an outcome. */
  verify(
    ctx: Context,
    response: string,
    request: ProofRequest & { readonly channel: Channel; readonly verifier: string | null },
  ): Promise<VerificationResult>;
}
