/** Development only: the test wallet behind an address, for tests of the running worker and for /dev/wallet. */
import {
  type AttestationOptions,
  issueAttestation,
  type PresentOptions,
  present,
  type WalletRequest,
} from "./wallet.ts";

interface Order {
  /** An attestation of before; absent, a new one is issued. */
  readonly attestation?: Awaited<ReturnType<typeof issueAttestation>>;
  readonly issue?: Omit<AttestationOptions, "validFrom" | "validUntil"> & { validFrom?: string; validUntil?: string };
  readonly request?: WalletRequest;
  readonly present?: PresentOptions;
}

/** Issues, presents, or both; answers what the wallet would hold and send. */
export async function answerWallet(request: Request): Promise<Response> {
  const { attestation, issue = {}, request: asked, present: options } = await request.json<Order>();
  const { validFrom, validUntil, ...rest } = issue;
  const held =
    attestation ??
    (await issueAttestation({
      ...rest,
      ...(validFrom && { validFrom: new Date(validFrom) }),
      ...(validUntil && { validUntil: new Date(validUntil) }),
    }));
  const started = performance.now();
  const token = asked ? await present(held, asked, options) : null;
  return Response.json({ attestation: held, token, ms: performance.now() - started });
}
