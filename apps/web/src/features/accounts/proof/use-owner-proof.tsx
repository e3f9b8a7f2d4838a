import type { ProofWays } from "@lambda/contract/proofs";
import { type ReactNode, Suspense, useCallback, useState } from "react";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { lazyScreen } from "../../../routing/lazy-screen.ts";

const ProofSheet = lazyScreen(() => import("./ProofSheet.tsx"));

/** The member closed the dialog: nothing was done, and nothing need be said. */
class ProofDeclined extends Error {}

export const isDeclined = (error: unknown): boolean => error instanceof ProofDeclined;

interface Asked {
  readonly ways: ProofWays;
  readonly settle: (proved: boolean) => void;
}

export interface OwnerProof {
  /**
   * Does what only the account's owner may do. Where the server wants a fresh proof for it, the one dialog asks for that, and the same
   * is done again. Rejects with what `isDeclined` knows when the member closes the dialog.
   */
  readonly run: <Result>(act: () => Promise<Result>) => Promise<Result>;
  /** To be drawn anywhere by whoever calls `run`. */
  readonly dialog: ReactNode;
}

export function useOwnerProof(): OwnerProof {
  const [asked, setAsked] = useState<Asked | null>(null);
  const run = useCallback(async <Result,>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      if (errorCodeOf(error) !== "CONFIRMATION_NEEDED") throw error;
      const ways = await trpcClient.proofs.ways.query();
      const proved = await new Promise<boolean>((settle) => setAsked({ ways, settle }));
      setAsked(null);
      if (!proved) throw new ProofDeclined();
      return act();
    }
  }, []);
  const dialog = asked && (
    <Suspense>
      <ProofSheet ways={asked.ways} onProved={() => asked.settle(true)} onClose={() => asked.settle(false)} />
    </Suspense>
  );
  return { run, dialog };
}
