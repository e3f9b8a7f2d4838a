import { BRANDS } from "@lambda/brands";
import type { ClientEvent } from "@lambda/contract/events";
import { openShards } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { sendToMember } from "./deliver.ts";
import { canWriteTo } from "./first-contact.ts";
import { markDelivered } from "./receipts.ts";
import type { SocketOwner } from "./sockets.ts";

/** Handles an event that a device sent over its socket, whose session the socket's object has checked. */
export async function receiveClientEvent(env: Env, owner: SocketOwner, event: ClientEvent, now: number): Promise<void> {
  const brand = BRANDS.find((candidate) => candidate.id === owner.brand);
  if (!brand) return;
  const work: Promise<unknown>[] = [];
  const shards = openShards(env);
  const main = shards.open(0);
  if (event.type === "typing") {
    const { profileId } = owner;
    const mayWrite = await canWriteTo(shards, { brand, viewer: { profileId } }, event.toProfileId, now);
    if (mayWrite) work.push(sendToMember(env, event.toProfileId, { type: "typing", profileId }, profileId));
  } else {
    const viewer = { profileId: owner.profileId };
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    work.push(markDelivered({ env, ...main, shards, brand, viewer, now, waitUntil }, event));
    await work[0]; // Adds the notifications of the senders to `work`.
  }
  await Promise.all(work);
}
