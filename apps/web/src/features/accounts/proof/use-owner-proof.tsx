import type { ProofMethods } from "@lambda/contract/proofs";
import { type ReactNode, useCallback, useState } from "react";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { lazyPart } from "../../../routing/lazy-part.tsx";

const ProofSheet = lazyPart(() => import("./ProofSheet.tsx"));

/** The member closed the dialog. Nothing happened, so no error is shown. */
class ProofDeclined extends Error {}

export const isDeclined = (error: unknown): boolean => error instanceof ProofDeclined;

interface PendingProof {
  readonly methods: ProofMethods;
  readonly resolve: (proved: boolean) => void;
}

export interface OwnerProof {
  /**
   * Runs an action that only the account's owner may take. If the server requires a fresh proof, the dialog asks for one and the action
   * runs again. Rejects with an error recognized by `isDeclined` if the member closes the dialog.
   */
  readonly run: <Result>(act: () => Promise<Result>) => Promise<Result>;
  /** The component that calls `run` must render this. */
  readonly dialog: ReactNode;
}

/** @param keepsEmailChange for the page that asks about a requested change of address, which any other proof ends */
export function useOwnerProof({ keepsEmailChange = false } = {}): OwnerProof {
  const [pending, setPending] = useState<PendingProof | null>(null);
  const run = useCallback(async <Result,>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      if (errorCodeOf(error) !== "CONFIRMATION_NEEDED") throw error;
      const methods = await trpcClient.proofs.methods.query();
      const proved = await new Promise<boolean>((resolve) => setPending({ methods, resolve }));
      setPending(null);
      if (!proved) throw new ProofDeclined();
      return act();
    }
  }, []);
  const dialog = pending && (
    <ProofSheet
      methods={pending.methods}
      keepsEmailChange={keepsEmailChange}
      onProved={() => pending.resolve(true)}
      onClose={() => pending.resolve(false)}
    />
  );
  return { run, dialog };
}
