/** The friends' devices that a plan wakes. Each is stored by itself, so that none replaces another or waits for another's push. */
import { randomInt } from "node:crypto";
import { MEET_FRIENDS_MAX } from "@lambda/contract/limits";
import type { FriendDevice } from "@lambda/contract/meets";
import { FRIEND_ALARM } from "@lambda/contract/notification-kinds";
import { sendPush } from "../../notifications/push/send-push.ts";
import type { Env } from "../../platform/env.ts";
import { sha256 } from "../../platform/hash.ts";
import { meetsCopy } from "./copy.ts";

const PUSH_RETRY_MS = [10_000, 30_000, 120_000, 600_000];

interface Friend extends FriendDevice {
  /** A keyed hash of the network that subscribed it. Absent in plans from before that was counted. */
  readonly caller?: string;
  readonly since?: number;
  /** A push that has yet to be sent. */
  readonly due?: { readonly at: number; readonly failures: number };
}

const PREFIX = "friend";

const listFriends = (storage: DurableObjectStorage) => storage.list<Friend>({ prefix: PREFIX });

/** Other keys with the address of a device make another entry, so that they cannot spoil it. */
export async function friendKey({ endpoint, auth_base64, p256dh_base64 }: FriendDevice): Promise<string> {
  return `${PREFIX}:${await sha256([endpoint, auth_base64, p256dh_base64].join(" "))}`;
}

/**
 * Subscribes a device. Nobody is refused, as whoever has the link can fill the places: the newest device of the network that has most makes
 * room. Among equals, and among the newcomer's own devices, the lot decides, so that no single call can remove a certain device. Where each
 * network has one, the half that came first stays: nobody removes a friend by changing networks often enough.
 */
export async function addFriend(
  storage: DurableObjectStorage,
  key: string,
  device: FriendDevice,
  { caller, now }: { readonly caller: string; readonly now: number },
): Promise<void> {
  const friends = await listFriends(storage);
  if (friends.has(key)) return;
  const displaced = friends.size < MEET_FRIENDS_MAX ? undefined : chooseDisplaced([...friends], caller);
  if (displaced !== undefined) await storage.delete(displaced);
  await storage.put<Friend>(key, { ...device, caller, since: now });
}

function chooseDisplaced(friends: readonly (readonly [string, Friend])[], caller: string): string | undefined {
  const networks = [...Map.groupBy(friends, ([, friend]) => friend.caller)];
  // The newcomer counts for its network.
  const sizes = networks.map(([network, devices]) => devices.length + (network === caller ? 1 : 0));
  const most = Math.max(...sizes);
  const newestFirst = friends.toSorted(([, one], [, other]) => (other.since ?? 0) - (one.since ?? 0));
  if (most === 1) return draw(newestFirst.slice(0, MEET_FRIENDS_MAX / 2))?.[0];
  const [network, devices = []] = draw(networks.filter((_, at) => sizes[at] === most)) ?? [];
  if (network === caller) return draw(devices)?.[0];
  return devices.toSorted(([, one], [, other]) => (other.since ?? 0) - (one.since ?? 0))[0]?.[0];
}

const draw = <Item>(items: readonly Item[]): Item | undefined => items[randomInt(items.length)];

/** How many devices the alarm wakes. */
export async function countFriends(storage: DurableObjectStorage): Promise<number> {
  return (await listFriends(storage)).size;
}

export async function forgetFriends(storage: DurableObjectStorage): Promise<void> {
  await storage.delete([...(await listFriends(storage)).keys()]);
}

/** Asks for a push to every device. They are sent by the object's alarm, which the platform retries if it fails. */
export async function schedulePushes(storage: DurableObjectStorage, at: number): Promise<void> {
  const friends = [...(await listFriends(storage))];
  await Promise.all(friends.map(([key, friend]) => storage.put<Friend>(key, { ...friend, due: { at, failures: 0 } })));
}

export async function nextPushAt(storage: DurableObjectStorage): Promise<number> {
  const friends = [...(await listFriends(storage)).values()];
  return Math.min(...friends.map(({ due }) => due?.at ?? Number.POSITIVE_INFINITY));
}

/** Sends the pushes that are due, all at once. If one fails, the friend's page still shows the alarm. */
export async function sendDuePushes(env: Env, storage: DurableObjectStorage, now: number): Promise<void> {
  const due = [...(await listFriends(storage))].filter(([, friend]) => friend.due && friend.due.at <= now);
  await Promise.all(
    due.map(async ([key, friend]) => {
      // Anybody may see it on a lock screen, so it contains no name, no site and nothing of the plan.
      const { urgency, ttlMs } = FRIEND_ALARM;
      const { pushTitle: title, pushText: body } = meetsCopy[friend.locale];
      const outcome = await sendPush(env, friend, { title, body }, { ttl: ttlMs / 1000, urgency });
      const current = await storage.get<Friend>(key);
      // A PIN may have ended the plan, or another alarm begun, during the push.
      if (!current?.due || current.due.at !== friend.due?.at) return;
      const { due: pending, ...rest } = current;
      const wait = outcome === "retry" ? PUSH_RETRY_MS[pending.failures] : undefined;
      // One that is gone stays in the count, which must not tell an onlooker that an alarm went out.
      if (wait === undefined) await storage.put<Friend>(key, rest);
      else await storage.put<Friend>(key, { ...rest, due: { at: now + wait, failures: pending.failures + 1 } });
    }),
  );
}
