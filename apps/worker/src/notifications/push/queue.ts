import type { PushJob } from "@lambda/contract/push";
import type { Env } from "../../platform/env.ts";

/** Queues a job, in a second try if need be: the queue refuses single calls, and nothing else would send that push. */
export async function queuePush(
  { PUSH_QUEUE }: Pick<Env, "PUSH_QUEUE">,
  job: PushJob,
  options?: QueueSendOptions,
): Promise<void> {
  const send = () => PUSH_QUEUE.send(job, options);
  await send().catch(send);
}
