/** The push that opens the friend's page. Anybody may see it on a lock screen, so it contains no name, no site and nothing of the plan. */
import type { FriendDevice } from "@lambda/contract/meets";
import { type PushOutcome, sendPush } from "../../members/push/send-push.ts";
import type { Env } from "../../platform/env.ts";
import { meetsCopy } from "./copy.ts";

/** After this time the push is too late to be useful. */
const TTL_SECONDS = 6 * 3600;

export function pushFriend(env: Env, device: FriendDevice): Promise<PushOutcome> {
  const copy = meetsCopy[device.locale];
  return sendPush(env, device, { title: copy.pushTitle, body: copy.pushText }, { ttl: TTL_SECONDS, urgency: "high" });
}
