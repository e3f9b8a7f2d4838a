/**
 * Whether a session recently proved that its owner is using it, by password, mail or passkey. Actions that take an
 * account over or empty it require that: a phone found unlocked must not suffice.
 */
import { FRESH_PROOF_MS } from "@lambda/contract/limits";
import type { MemberContext } from "../../platform/access.ts";
import { batch } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { endEmailChangeQueries } from "./end-access.ts";

export function isFresh(viewer: Pick<Viewer, "provedAt">, now: number): boolean {
  return now - viewer.provedAt < FRESH_PROOF_MS;
}

/** Throws CONFIRMATION_NEEDED; the web client then opens its proof dialog and retries. */
export function requireFresh(viewer: Pick<Viewer, "provedAt">, now: number): void {
  if (!isFresh(viewer, now)) throw new AppError("CONFIRMATION_NEEDED");
}

/**
 * Records that this session has just been proved, and ends a change of address that somebody else may have requested
 * before. The page that asks about that change `keepsEmailChange`.
 */
export async function markProved(
  { d1, db, viewer, now }: Pick<MemberContext, "d1" | "db" | "viewer" | "now">,
  { keepsEmailChange }: { keepsEmailChange: boolean },
): Promise<void> {
  await batch(d1, [
    db.updateTable("session").set({ ts_proved: now }).where("id", "=", viewer.sessionId),
    ...(keepsEmailChange ? [] : endEmailChangeQueries(db, viewer.profileId)),
  ]);
}
