import type { MemberContext } from "../../platform/access.ts";

/**
 * Call it after ending sessions: on an event without content, the member's object closes the sockets of ended sessions.
 */
export function closeEndedSockets({
  env,
  viewer,
  waitUntil,
}: Pick<MemberContext, "env" | "viewer" | "waitUntil">): void {
  waitUntil(env.MEMBER.getByName(String(viewer.profileId)).deliver([], null));
}
