/**
 * The queue's consumer. Looks again at each job: a member who is connected there meanwhile, has read it or turned the kind off gets
 * nothing. What a push service refuses for now is tried again for that device alone; what it gave up is forgotten.
 */

import { createHmac } from "node:crypto";
import { BRANDS, type Brand } from "@lambda/brands";
import { PUSH_MAX_AGE_MS } from "@lambda/contract/limits";
import { PushJob, type PushPayload } from "@lambda/contract/push";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { count, gauge, tellCounts } from "../../platform/metrics/counts.ts";
import { deleteDeadSubscription, listTargets, type Target } from "./queries.ts";
import { type Outcome, sendPush } from "./send-push.ts";
import { pushText } from "./texts.ts";

/** Seconds before the first repetition; each next one waits six times as long: 2 s to 43 min in five tries. */
const RETRY_SECONDS = 2;
const RETRY_FACTOR = 6;

export async function consumeQueue(
  messages: MessageBatch<unknown>,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  if (messages.queue.endsWith("-dead")) count("deadLetters", messages.messages.length);
  else {
    const oldest = Math.min(...messages.messages.map(({ timestamp }) => timestamp.getTime()));
    gauge("queueAgeMs", Date.now() - oldest);
    await consumePushes(messages, env);
    count("pushesHandled", messages.messages.length);
  }
  tellCounts(env, (work) => execution.waitUntil(work), true);
}

export async function consumePushes(messages: MessageBatch<unknown>, env: Env): Promise<void> {
  const done = new Set<string>();
  for (const message of messages.messages) {
    const job = PushJob.safeParse(message.body).data;
    const brand = BRANDS.find((candidate) => candidate.id === job?.brand);
    // Several events of one kind in one batch are one buzz.
    const name = job ? `${job.profileId}:${job.kind}:${job.brand}:${job.subscriptionId ?? ""}` : "";
    if (!job || !brand || done.has(name) || Date.now() - job.created > PUSH_MAX_AGE_MS) {
      message.ack();
      continue;
    }
    done.add(name);
    let failed: number[];
    try {
      failed = await sendToDevices(env, brand, job);
    } catch (error) {
      // One member's object that does not answer is no reason to keep the others waiting.
      logFault({ event: "push", attempts: message.attempts }, error);
      message.retry({ delaySeconds: retryDelay(message) });
      continue;
    }
    if (failed.length === 0) message.ack();
    else if (job.subscriptionId !== undefined) {
      message.retry({ delaySeconds: retryDelay(message) });
    } else {
      for (const subscriptionId of failed) {
        await env.PUSH_QUEUE.send({ ...job, subscriptionId }, { delaySeconds: RETRY_SECONDS });
      }
      message.ack();
    }
  }
}

function retryDelay({ attempts }: Message<unknown>): number {
  return RETRY_SECONDS * RETRY_FACTOR ** Math.max(0, attempts - 1);
}

/** Sends to all of a member's devices; answers the subscriptions to try again. */
async function sendToDevices(env: Env, brand: Brand, job: PushJob): Promise<number[]> {
  if (await env.MEMBER.getByName(String(job.profileId)).connected(brand.id)) return [];
  const db = openDatabase(env.DB);
  const targets = await listTargets(db, brand, job, Date.now());
  const outcomes = await Promise.all(targets.map((target) => send(env, brand, job, target)));
  await Promise.all(
    targets.filter((_, index) => outcomes[index] === "gone").map((target) => deleteDeadSubscription(db, target.id)),
  );
  return targets.filter((_, index) => outcomes[index] === "again").map((target) => target.id);
}

async function send(env: Env, brand: Brand, job: PushJob, target: Target): Promise<Outcome> {
  const { kind } = job;
  const payload: PushPayload = {
    kind,
    title: brand.name,
    icon: `/icons/${brand.id}-192.png`,
    ...pushText(kind, target.locale),
  };
  return sendPush(env, target, payload, {
    ttl: PUSH_MAX_AGE_MS / 1000,
    topic: topicOf(kind, target),
    urgency: kind === "message" ? "high" : "normal",
  });
}

/**
 * By its topic a push service lets a newer push replace one that still waits, and reads it. So it is made from the kind by the
 * secret that the device shares with us alone.
 */
function topicOf(kind: string, target: Target): string {
  return createHmac("sha256", target.auth_base64).update(`topic:${kind}`).digest("base64url").slice(0, 32);
}
