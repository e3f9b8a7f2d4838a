import type { MemberContext } from "../../platform/access.ts";

/** After sessions ended: an event without content, on which the object closes the sockets of each session that stands no more. */
export function closeEndedSockets({
  env,
  viewer,
  waitUntil,
}: Pick<MemberContext, "env" | "viewer" | "waitUntil">): void {
  waitUntil(env.MEMBER.getByName(String(viewer.profileId)).deliver([], null));
}
