/**
 * Whether a session recently proved that its owner is using it, by password, mail or passkey. Actions that take an
 * account over or empty it require that: a phone found unlocked must not suffice.
 */
import { FRESH_PROOF_MS } from "@lambda/contract/limits";
import { AppError } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

export function isFresh(viewer: Pick<Viewer, "provedAt">, now: number): boolean {
  return now - viewer.provedAt < FRESH_PROOF_MS;
}

/** Throws CONFIRMATION_NEEDED; the web client then opens its proof dialog and retries. */
export function requireFresh(viewer: Pick<Viewer, "provedAt">, now: number): void {
  if (!isFresh(viewer, now)) throw new AppError("CONFIRMATION_NEEDED");
}
