import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { ProfileBrief } from "@lambda/contract/profiles";
import { serverNow } from "../device/server-clock.ts";

/** Whether a member was active within the last minutes. */
export function isOnline(brief: Pick<ProfileBrief, "tsUpdated">): boolean {
  return serverNow() - Date.parse(brief.tsUpdated) <= ONLINE_WITHIN_MS;
}
