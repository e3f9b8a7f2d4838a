import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { ProfileBrief } from "@lambda/contract/profiles";

/** Whether a member was active within the last minutes. */
export function isOnline(brief: Pick<ProfileBrief, "tsUpdated">): boolean {
  return Date.now() - Date.parse(brief.tsUpdated) <= ONLINE_WITHIN_MS;
}
