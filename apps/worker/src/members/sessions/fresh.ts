/**
 * Whether a session recently proved that its owner is using it, by password, mail or passkey. Actions that take an
 * account over or empty it require that: a phone found unlocked must not suffice.
 */
import { FRESH_PROOF_MS } from "@lambda/contract/limits";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/viewer.ts";

export function isFresh(viewer: Pick<Viewer, "provedAt">, now: number): boolean {
  return now - viewer.provedAt < FRESH_PROOF_MS;
}

/** Throws CONFIRMATION_NEEDED; the web client then opens its proof dialog and retries. */
export function requireFresh(viewer: Pick<Viewer, "provedAt">, now: number): void {
  if (!isFresh(viewer, now)) throw new AppError("CONFIRMATION_NEEDED");
}

/** Records that this session has just been proved. */
export async function markProved({ db, viewer, now }: Pick<MemberContext, "db" | "viewer" | "now">): Promise<void> {
  await db.updateTable("session").set({ ts_proved: now }).where("id", "=", viewer.sessionId).execute();
}
