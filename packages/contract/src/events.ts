/**
 * What travels over the sockets, parsed on both ends. Written with zod/mini, since the web pays for every byte of a parser.
 */
import * as z from "zod/mini";

const Id = z.int().check(z.positive());
const Time = z.iso.datetime();

/** A message as an event carries it: the same fields as `Message` in messages.ts, checked to be so in the worker. */
const LiveMessage = z.object({
  id: Id,
  senderProfileId: z.int(),
  recipientProfileId: z.optional(Id),
  clientId: z.optional(z.string()),
  bodyText: z.string(),
  profilePicIds: z.array(Id),
  attachment: z.optional(
    z.nullable(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("position"), lat: z.number(), lon: z.number(), exact: z.boolean() }),
        z.object({ type: z.literal("album"), tsExpires: z.nullable(Time) }),
      ]),
    ),
  ),
  sentToMany: z.optional(z.boolean()),
  tsCreated: Time,
  tsDelivered: z.optional(z.nullable(Time)),
  tsRecipientRead: z.nullable(Time),
  tsRecipientDeleted: z.nullable(Time),
  tsSenderDeleted: z.nullable(Time),
  tsUnsent: z.optional(z.nullable(Time)),
});
export type LiveMessage = z.infer<typeof LiveMessage>;

/** From the server to a member's devices. */
export const ServerEvent = z.discriminatedUnion("type", [
  /** The socket stands. `area` names the broadcast area it listens to, if any. */
  z.object({ type: z.literal("ready") }),
  /** A message of a conversation, to its recipient and to the sender's other devices. */
  z.object({ type: z.literal("message"), message: LiveMessage }),
  /** A message of the map chat. */
  z.object({
    type: z.literal("broadcast"),
    message: LiveMessage,
    senderProfileName: z.string(),
    senderPicId: z.nullable(Id),
  }),
  /** These messages reached a device of `profileId`. */
  z.object({ type: z.literal("delivered"), profileId: Id, messageIds: z.array(Id), ts: Time }),
  /** `profileId` has seen everything up to this id. To the reader's other devices too: their unread count is 0. */
  z.object({ type: z.literal("seen"), profileId: Id, withProfileId: Id, upToMessageId: Id, ts: Time }),
  z.object({ type: z.literal("typing"), profileId: Id }),
  /** Taken back, or removed by this member on another device. `profileId` is the other side; null in map chat. */
  z.object({ type: z.literal("unsent"), messageId: Id, profileId: z.nullable(Id) }),
  /** Something new in the list of notifications. */
  z.object({ type: z.literal("notification"), kind: z.string() }),
]);
export type ServerEvent = z.infer<typeof ServerEvent>;

/** From a device to the server. Sending is REST or tRPC alone: it needs an answer that the message is stored. */
export const ClientEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("typing"), toProfileId: Id }),
  z.object({ type: z.literal("delivered"), messageIds: z.array(Id).check(z.minLength(1), z.maxLength(100)) }),
]);
export type ClientEvent = z.infer<typeof ClientEvent>;

/** Sent as plain text and answered by the runtime without waking the object. */
export const SOCKET_PING = "ping";
export const SOCKET_PONG = "pong";

function parse<Out>(
  schema: { safeParse(value: unknown): { success: boolean; data?: Out } },
  frame: unknown,
): Out | undefined {
  if (typeof frame !== "string") return undefined;
  try {
    const result = schema.safeParse(JSON.parse(frame));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

/** A frame as an event; undefined for anything else, which both ends ignore. */
export function parseServerEvent(frame: unknown): ServerEvent | undefined {
  return parse<ServerEvent>(ServerEvent, frame);
}
export function parseClientEvent(frame: unknown): ClientEvent | undefined {
  return parse<ClientEvent>(ClientEvent, frame);
}
