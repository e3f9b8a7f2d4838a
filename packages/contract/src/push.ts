import { z } from "zod";
import { DEVICE_NAME_MAX_CHARS } from "./limits.ts";
import { NotificationKind } from "./notifications.ts";
import { Id, SingleLine, Time } from "./primitives.ts";

/** Exactly `count` bytes, as base64 or base64url. */
function base64Bytes(count: number) {
  const length = Math.ceil((count * 4) / 3);
  const encoded = z.string().regex(/^[A-Za-z0-9+/_-]+={0,2}$/);
  return encoded.refine((text) => text.replace(/=+$/, "").length === length, { message: `is not ${count} bytes` });
}

/** What a push is encrypted with. The worker checks that the key is a point of its curve. */
export const PushKeys = z.object({
  auth_base64: base64Bytes(16),
  /** An uncompressed point of P-256. */
  p256dh_base64: base64Bytes(65),
});
export type PushKeys = z.infer<typeof PushKeys>;

/** A push subscription as sent by a device. */
export const PushSubscriptionDraft = PushKeys.extend({
  deviceName: SingleLine.min(1, { message: "device name is required" }).max(DEVICE_NAME_MAX_CHARS),
  /** URL of the push service. Only https, so that the worker cannot be made to call internal addresses. */
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  /** Milliseconds since 1970; 0 if none. */
  expirationTime: z.number().int().min(0).nullish(),
});
export type PushSubscriptionDraft = z.infer<typeof PushSubscriptionDraft>;

/** A stored subscription, without its keys, which never leave the server again. */
export const PushSubscriptionEntry = z.object({
  id: Id,
  deviceName: z.string(),
  endpoint: z.string(),
  expirationTime: z.number(),
  /** It was created in the session of this request. */
  thisDevice: z.boolean(),
});
export type PushSubscriptionEntry = z.infer<typeof PushSubscriptionEntry>;

/** What a device needs to subscribe. */
export const PushKey = z.object({
  /** The public key of the site, base64url. */
  applicationServerKey: z.string(),
  /** When the member removed the subscription of this session; null while it has one, had none, or the push service gave it up. */
  tsRemoved: Time.nullable(),
});
export type PushKey = z.infer<typeof PushKey>;

/** A queued push: recipient and kind, never any content. */
export const PushJob = z.object({
  profileId: Id,
  kind: NotificationKind,
  /** The news of this kind are gone: sent only while no other is left. */
  gone: z.boolean().optional(),
  brand: z.string(),
  /** Milliseconds since 1970; jobs that are too old are dropped. */
  created: z.number(),
  /** Set on retries, to target only the device that failed. */
  subscriptionId: Id.optional(),
});
export type PushJob = z.infer<typeof PushJob>;

/** The decrypted body of a push. It contains no member's name, text or id. */
export const PushPayload = z.object({
  kind: NotificationKind,
  /** Heard always, and never in the place of another kind: see `NOTIFICATION_KINDS`. */
  alarm: z.literal(true).optional(),
  /** Closes the notification of this kind instead of showing one. */
  gone: z.literal(true).optional(),
  /** The site's name and icon. */
  title: z.string(),
  icon: z.string(),
  body: z.string(),
  url: z.string(),
});
export type PushPayload = z.infer<typeof PushPayload>;
