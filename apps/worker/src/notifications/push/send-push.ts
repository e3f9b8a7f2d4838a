/** Sends one push to one device: encrypted for it alone, signed by the site, and always of the same length. */
import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { callableEndpoint, hasValidKey } from "./endpoints.ts";
import { listPushKeys, type PushKeyPair } from "./push-keys.ts";

/** A push service that does not respond must not hold up the queue. */
const SEND_TIMEOUT_MS = 10_000;

/** `gone` is permanent, `retry` may succeed later, and `refused` says nothing of later pushes. */
export type PushOutcome = "sent" | "gone" | "retry" | "refused";

export interface PushDevice {
  readonly endpoint: string;
  /** Milliseconds; 0 for none. */
  readonly expiration_time?: number;
  readonly auth_base64: string;
  readonly p256dh_base64: string;
}

interface PushOptions {
  /** Seconds that a push service may keep it for an offline device. */
  readonly ttl: number;
  readonly topic?: string;
  readonly urgency: "normal" | "high";
}

export async function sendPush(
  env: Env,
  device: PushDevice,
  payload: object,
  options: PushOptions,
): Promise<PushOutcome> {
  let last: PushOutcome = "refused";
  for (const keys of listPushKeys(env)) {
    const outcome = await sendWith(keys, env, device, payload, options);
    if (outcome === "unsigned") last = "retry";
    else if (outcome !== "refused") return outcome;
  }
  return last;
}

/**
 * `refused`: the device may have subscribed with another key, and its page has not renewed that yet. `unsigned`: the site's key is
 * malformed, which is no fault of the device.
 */
async function sendWith(
  keys: PushKeyPair,
  env: Env,
  device: PushDevice,
  payload: object,
  options: PushOptions,
): Promise<PushOutcome | "unsigned"> {
  if (!(await hasValidKey(device))) return "gone";
  const request = await buildPushPayload(
    // The library pads to the whole record: the length would reveal the kind.
    { data: JSON.stringify(payload), options },
    {
      endpoint: device.endpoint,
      expirationTime: device.expiration_time || null,
      keys: { auth: device.auth_base64, p256dh: device.p256dh_base64 },
    },
    { subject: env.VAPID_SUBJECT, ...keys },
  ).catch((error) => logFault({ event: "push-key" }, error));
  if (!request) return "unsigned";
  try {
    const response = await fetch(callableEndpoint(device.endpoint), {
      ...request,
      redirect: "manual",
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return "sent";
    if (response.status === 404 || response.status === 410) return "gone";
    return response.status === 429 || response.status >= 500 ? "retry" : "refused";
  } catch {
    return "retry";
  }
}
