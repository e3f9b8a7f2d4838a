/** Events sent over WebSockets, parsed on both ends. */
import {
  boolean,
  id,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  parseFrame,
  string,
  taggedUnion,
  timestamp,
} from "./frames.ts";

export const REACTIONS = ["heart", "fire", "laugh", "wow", "sad", "thumb"] as const;
type Reaction = (typeof REACTIONS)[number];

/** A message in an event. It has the same fields as `Message` in messages.ts; a type check in the worker enforces that. */
export interface LiveMessage {
  id: number;
  senderProfileId: number;
  recipientProfileId?: number | undefined;
  clientId?: string | undefined;
  bodyText: string;
  profilePicIds: number[];
  attachment?: LiveAttachment | null | undefined;
  sentToMany?: boolean | undefined;
  replyToId?: number | undefined;
  reaction?: Reaction | undefined;
  tsCreated: string;
  tsDelivered?: string | null | undefined;
  tsRecipientRead: string | null;
  tsRecipientDeleted: string | null;
  tsSenderDeleted: string | null;
}

type LiveAttachment =
  | { type: "position"; lat: number; lon: number; exact: boolean }
  | { type: "album"; tsExpires: string | null }
  | { type: "once"; kind: "picture" | "voice"; tsExpires: string; tsOpened: string | null }
  | { type: "voice"; voiceId: number; durationMs: number; peaks: number[] };

const parseMessage = object<LiveMessage>({
  id,
  senderProfileId: integer,
  recipientProfileId: optional(id),
  clientId: optional(string),
  bodyText: string,
  profilePicIds: list(id),
  attachment: optional(
    nullable(
      taggedUnion<LiveAttachment>({
        position: { lat: number, lon: number, exact: boolean },
        album: { tsExpires: nullable(timestamp) },
        once: { kind: literal("picture", "voice"), tsExpires: timestamp, tsOpened: nullable(timestamp) },
        voice: { voiceId: id, durationMs: integer, peaks: list(integer) },
      }),
    ),
  ),
  sentToMany: optional(boolean),
  replyToId: optional(id),
  reaction: optional(literal(...REACTIONS)),
  tsCreated: timestamp,
  tsDelivered: optional(nullable(timestamp)),
  tsRecipientRead: nullable(timestamp),
  tsRecipientDeleted: nullable(timestamp),
  tsSenderDeleted: nullable(timestamp),
});

/** Sent by the server to a member's devices. */
export type ServerEvent =
  /** The socket is ready. */
  | { type: "ready" }
  /** A message of a conversation, sent to the recipient and to the sender's other devices. */
  | { type: "message"; message: LiveMessage }
  /** A message of the map chat. */
  | { type: "broadcast"; message: LiveMessage; senderProfileName: string; senderPicId: number | null }
  /** The messages reached a device of `profileId`. */
  | { type: "delivered"; profileId: number; messageIds: number[]; ts: string }
  /**
   * `profileId` has seen everything up to this id that `withProfileId` wrote. The reader's other devices get null instead, so that they
   * never learn the id of an invisible member; the message id identifies the conversation.
   */
  | { type: "seen"; profileId: number; withProfileId: number | null; upToMessageId: number; ts: string }
  | { type: "typing"; profileId: number }
  /** Unsent, or removed by this member on another device. `profileId` is who unsent it; null: this member, or a broadcast. */
  | { type: "unsent"; messageId: number; profileId: number | null }
  /** The recipient's reaction to a message; null: withdrawn. Sent to the sender and to the recipient's other devices. */
  | { type: "reacted"; messageId: number; reaction: Reaction | null }
  /** A picture or voice message that opens once was opened by `profileId`. */
  | { type: "opened"; messageId: number; profileId: number; ts: string }
  /** There is a new notification. */
  | { type: "notification"; kind: string }
  /** Members who arrived, left or changed in a watched square of the map. Empty: too many to list, so reload the square. */
  | { type: "around"; profileIds: number[] };

const parseServer = taggedUnion<ServerEvent>({
  ready: {},
  message: { message: parseMessage },
  broadcast: { message: parseMessage, senderProfileName: string, senderPicId: nullable(id) },
  delivered: { profileId: id, messageIds: list(id), ts: timestamp },
  seen: { profileId: id, withProfileId: nullable(id), upToMessageId: id, ts: timestamp },
  typing: { profileId: id },
  unsent: { messageId: id, profileId: nullable(id) },
  reacted: { messageId: id, reaction: nullable(literal(...REACTIONS)) },
  opened: { messageId: id, profileId: id, ts: timestamp },
  notification: { kind: string },
  around: { profileIds: list(id) },
});

/** Sent by a device to the server. Messages are sent by REST or tRPC only, because sending needs a response that they are stored. */
export type ClientEvent = { type: "typing"; toProfileId: number } | { type: "delivered"; messageIds: number[] };

const parseClient = taggedUnion<ClientEvent>({
  typing: { toProfileId: id },
  delivered: { messageIds: list(id, { min: 1, max: 100 }) },
});

/** Plain text frames, which the runtime answers without waking the Durable Object. */
export const SOCKET_PING = "ping";
export const SOCKET_PONG = "pong";

/** WebSocket close code: the session ended, or the member may no longer use this socket. */
export const SOCKET_CLOSE_ENDED = 4401;
/** WebSocket close code: the member is now published in another area and must join that one. */
export const SOCKET_CLOSE_MOVED = 4409;

/** Both return undefined for an invalid frame, which the receiver ignores. */
export const parseServerEvent = (frame: unknown): ServerEvent | undefined => parseFrame(parseServer, frame);
export const parseClientEvent = (frame: unknown): ClientEvent | undefined => parseFrame(parseClient, frame);
