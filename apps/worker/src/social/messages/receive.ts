import { BRANDS } from "@lambda/brands";
import type { ClientEvent } from "@lambda/contract/events";
import { openShards } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { sendToMember } from "./deliver.ts";
import { mayWriteTo } from "./first-contact.ts";
import { markDelivered } from "./receipts.ts";
import type { SocketOwner } from "./sockets.ts";

/** What a device says over its socket; the object proved that its session still stands. */
export async function receiveClientEvent(env: Env, owner: SocketOwner, event: ClientEvent, now: number): Promise<void> {
  const brand = BRANDS.find((candidate) => candidate.id === owner.brand);
  if (!brand) return;
  const work: Promise<unknown>[] = [];
  const shards = openShards(env);
  const main = shards.open(0);
  if (event.type === "typing") {
    const { profileId } = owner;
    const mayWrite = await mayWriteTo(shards, { brand, viewer: { profileId } }, event.toProfileId, now);
    if (mayWrite) work.push(sendToMember(env, event.toProfileId, { type: "typing", profileId }, profileId));
  } else {
    const viewer = { profileId: owner.profileId };
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    work.push(markDelivered({ env, ...main, shards, brand, viewer, now, waitUntil }, event));
    await work[0]; // It adds the tellings to `work`.
  }
  await Promise.all(work);
}
