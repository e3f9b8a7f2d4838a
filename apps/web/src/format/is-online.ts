import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import type { ProfileBrief } from "@lambda/contract/profiles";
import { serverNow } from "../device/server-clock.ts";

export function isOnline(brief: Pick<ProfileBrief, "tsUpdated">): boolean {
  return serverNow() - Date.parse(brief.tsUpdated) <= ONLINE_WITHIN_MS;
}
