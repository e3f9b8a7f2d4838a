import { z } from "zod";
import { NotificationKind } from "./notifications.ts";
import { Id, Line } from "./primitives.ts";

const Base64 = z.string().regex(/^[A-Za-z0-9+/_-]+={0,2}$/);

/** A push subscription as a device hands it over. Keys are base64 or base64url. */
export const PushSubscriptionDraft = z.object({
  deviceName: Line.min(1, { message: "device name is required" }).max(60),
  /** The push service's address; https alone, as no browser gives another and ours must not call the inside of a network. */
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  /** Milliseconds; 0 if none. */
  expirationTime: z.number().int().min(0).nullish(),
  /** 16 bytes. */
  auth_base64: Base64.max(32),
  /** 65 bytes. */
  p256dh_base64: Base64.max(100),
});
export type PushSubscriptionDraft = z.infer<typeof PushSubscriptionDraft>;

/** A stored subscription; its keys never leave the server again. */
export const PushSubscriptionEntry = z.object({
  id: Id,
  deviceName: z.string(),
  endpoint: z.string(),
  expirationTime: z.number(),
  /** It was made in the session that is asking: this very device. */
  thisDevice: z.boolean(),
});
export type PushSubscriptionEntry = z.infer<typeof PushSubscriptionEntry>;

/** What lies in the queue: who and which kind, never what was said. */
export const PushJob = z.object({
  profileId: Id,
  kind: NotificationKind,
  brand: z.string(),
  /** Milliseconds; an old job is not worth a buzz. */
  created: z.number(),
  /** Set on a retry: only the device that failed is tried again. */
  subscriptionId: Id.optional(),
});
export type PushJob = z.infer<typeof PushJob>;

/** The decrypted body of a push: no name, no text, no id of anybody. */
export const PushPayload = z.object({
  kind: NotificationKind,
  /** The site's name and mark. */
  title: z.string(),
  icon: z.string(),
  body: z.string(),
  url: z.string(),
});
export type PushPayload = z.infer<typeof PushPayload>;
