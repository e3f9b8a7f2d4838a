/**
 * The consumer of the push queue, which checks each job again: a member who has since opened a page, read the notification
 * or turned its kind off gets nothing, except alarms and what takes a notification away. Retries temporary failures for the device concerned alone, and deletes
 * subscriptions that the push service has given up.
 */
import { BRANDS, type Brand, storedBrand } from "@lambda/brands";
import { notificationRules } from "@lambda/contract/notification-kinds";
import { PushJob, type PushPayload } from "@lambda/contract/push";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { hmacSha256 } from "../../platform/mac.ts";
import { readSwitch } from "../../platform/maintenance.ts";
import { count, flushCounts, gauge } from "../../platform/metrics/counts.ts";
import { goneCopy, pushCopy } from "./copy.ts";
import { listPushTargets, type PushTarget } from "./queries.ts";
import { queuePush } from "./queue.ts";
import { type PushOutcome, sendPush } from "./send-push.ts";

/** Seconds before the first retry; each further one waits six times as long: 2 s to 43 min in five tries. */
const RETRY_SECONDS = 2;
const RETRY_FACTOR = 6;
/** Five tries last longer than a restore. */
const MAINTENANCE_RETRY_SECONDS = 30 * 60;

export async function consumeQueue(
  messages: MessageBatch<unknown>,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const maintenance = await readSwitch(env);
  if (maintenance === "on") return messages.retryAll({ delaySeconds: MAINTENANCE_RETRY_SECONDS });
  if (maintenance === "unknown") {
    // An alarm must not wait for a bucket.
    const isAlarm = ({ body }: Message<unknown>) => {
      const job = PushJob.safeParse(body).data;
      return job !== undefined && notificationRules(job.kind).alarm;
    };
    for (const message of messages.messages)
      if (!isAlarm(message)) message.retry({ delaySeconds: retryDelay(message) });
    return consumePushes(messages.messages.filter(isAlarm), env);
  }
  if (messages.queue.endsWith("-dead")) count("deadLetters", messages.messages.length);
  else {
    const oldest = Math.min(...messages.messages.map(({ timestamp }) => timestamp.getTime()));
    gauge("queueAgeMs", Date.now() - oldest);
    await consumePushes(messages.messages, env);
    count("pushesHandled", messages.messages.length);
  }
  flushCounts(env, (work) => execution.waitUntil(work), true);
}

export async function consumePushes(messages: readonly Message<unknown>[], env: Env): Promise<void> {
  const handled = new Set<string>();
  for (const message of messages) {
    const job = PushJob.safeParse(message.body).data;
    const brand = BRANDS.find((candidate) => candidate.id === job?.brand);
    // Several events of one kind in one batch cause one push.
    const jobKey = job
      ? `${job.profileId}:${job.kind}:${job.gone ?? false}:${job.brand}:${job.subscriptionId ?? ""}`
      : "";
    if (!job || !brand || handled.has(jobKey) || Date.now() - job.created > notificationRules(job.kind).ttlMs) {
      message.ack();
      continue;
    }
    handled.add(jobKey);
    let failed: number[];
    try {
      failed = await sendToDevices(env, brand, job);
      if (job.subscriptionId === undefined)
        for (const subscriptionId of failed)
          await queuePush(env, { ...job, subscriptionId }, { delaySeconds: RETRY_SECONDS });
    } catch (error) {
      // One member's failing object, or the queue, must not keep the others waiting.
      logFault({ event: "push", attempts: message.attempts }, error);
      message.retry({ delaySeconds: retryDelay(message) });
      continue;
    }
    if (failed.length > 0 && job.subscriptionId !== undefined) message.retry({ delaySeconds: retryDelay(message) });
    else message.ack();
  }
}

function retryDelay({ attempts }: Message<unknown>): number {
  return RETRY_SECONDS * RETRY_FACTOR ** Math.max(0, attempts - 1);
}

/** Sends to all of a member's devices; returns the subscriptions to retry. */
async function sendToDevices(env: Env, brand: Brand, job: PushJob): Promise<number[]> {
  const isForAll = notificationRules(job.kind).alarm || job.gone;
  if (!isForAll && (await env.MEMBER.getByName(String(job.profileId)).isSeen(brand.id))) return [];
  const db = openDatabase(env.DB);
  const targets = await listPushTargets(db, brand, job, Date.now());
  const outcomes = await Promise.all(targets.map((target) => send(env, job, target)));
  const gone = targets.filter((_, index) => outcomes[index] === "gone").map((target) => target.id);
  if (gone.length > 0) await db.deleteFrom("push_subscription").where("id", "in", gone).execute();
  return targets.filter((_, index) => outcomes[index] === "retry").map((target) => target.id);
}

async function send(env: Env, { kind, gone }: PushJob, target: PushTarget): Promise<PushOutcome> {
  const { alarm, url, ttlMs, urgency } = notificationRules(kind);
  // Of the device, which an alarm of a sister site must not name.
  const brand = storedBrand(target.brand);
  const payload: PushPayload = {
    kind,
    ...(gone ? { gone } : alarm && { alarm }),
    title: brand.name,
    icon: `/icons/${brand.id}-192.png`,
    body: gone ? goneCopy[target.locale].nothingNew : pushCopy[target.locale][kind],
    url,
  };
  return sendPush(env, target, payload, {
    ttl: ttlMs / 1000,
    // A push service replaces a waiting push by a newer one with the same topic, and can read it: keyed with the device's own secret.
    topic: hmacSha256(target.auth_base64, `topic:${kind}`).toString("base64url").slice(0, 32),
    urgency: gone ? "normal" : urgency,
  });
}
