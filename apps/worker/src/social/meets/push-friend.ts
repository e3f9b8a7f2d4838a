/** The push that opens the friend's page. It says what a lock screen may show to anybody: no name, no site, nothing of the plan. */
import type { FriendDevice } from "@lambda/contract/meets";
import { type Outcome, sendPush } from "../../members/push/send-push.ts";
import type { Env } from "../../platform/env.ts";
import { meetsCopy } from "./copy.ts";

/** A phone that is off this long comes too late. */
const TTL_SECONDS = 6 * 3600;

export function pushFriend(env: Env, device: FriendDevice): Promise<Outcome> {
  const copy = meetsCopy[device.locale];
  return sendPush(env, device, { title: copy.pushTitle, body: copy.pushText }, { ttl: TTL_SECONDS, urgency: "high" });
}
