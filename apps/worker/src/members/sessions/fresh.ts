/**
 * Whether a session proved a moment ago that its owner asks, by password, mail or passkey. What takes an account over, or empties it,
 * asks for that: a phone that somebody found unlocked must not suffice.
 */
import { FRESH_PROOF_MS } from "@lambda/contract/limits";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/viewer.ts";

export function isFresh(viewer: Pick<Viewer, "provedAt">, now: number): boolean {
  return now - viewer.provedAt < FRESH_PROOF_MS;
}

/** Throws CONFIRMATION_NEEDED, which the web answers with its one dialog for proofs and then asks again. */
export function requireFresh(viewer: Pick<Viewer, "provedAt">, now: number): void {
  if (!isFresh(viewer, now)) throw new AppError("CONFIRMATION_NEEDED");
}

/** This session proved it just now. */
export async function markProved({ db, viewer, now }: Pick<MemberContext, "db" | "viewer" | "now">): Promise<void> {
  await db.updateTable("session").set({ ts_proved: now }).where("id", "=", viewer.sessionId).execute();
}
