/** One push to one device: encrypted for it alone, signed by the site, and of one length whatever it says. */
import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { Env } from "../../platform/env.ts";
import { callableEndpoint } from "./endpoints.ts";

/** A push service that does not answer must not hold up the queue. */
const SEND_TIMEOUT_MS = 10_000;

/** Every payload is filled up with blanks to this many bytes: its length would tell the kind. */
const PAYLOAD_BYTES = 512;

/** `gone` is for good; `again` may succeed later. */
export type Outcome = "sent" | "gone" | "again";

export interface PushDevice {
  readonly endpoint: string;
  /** Milliseconds; 0 for none. */
  readonly expiration_time?: number;
  readonly auth_base64: string;
  readonly p256dh_base64: string;
}

interface PushOptions {
  /** Seconds that a push service may keep it for a device that is off. */
  readonly ttl: number;
  readonly topic?: string;
  readonly urgency: "normal" | "high";
}

export async function sendPush(env: Env, device: PushDevice, payload: object, options: PushOptions): Promise<Outcome> {
  const request = await buildPushPayload(
    { data: fillUp(JSON.stringify(payload)), options },
    {
      endpoint: device.endpoint,
      expirationTime: device.expiration_time || null,
      keys: { auth: device.auth_base64, p256dh: device.p256dh_base64 },
    },
    { subject: env.VAPID_SUBJECT, publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY },
  ).catch(() => undefined);
  if (!request) return "gone"; // Keys of the device that are no keys.
  try {
    const answer = await fetch(callableEndpoint(device.endpoint), {
      ...request,
      redirect: "manual",
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (answer.ok) return "sent";
    if (answer.status === 404 || answer.status === 410) return "gone";
    // A key that the service does not accept will not be accepted later; a busy or broken service may recover.
    return answer.status === 429 || answer.status >= 500 ? "again" : "gone";
  } catch {
    return "again";
  }
}

function fillUp(json: string): string {
  return json + " ".repeat(Math.max(0, PAYLOAD_BYTES - new TextEncoder().encode(json).length));
}
