/** What travels over the sockets, parsed on both ends. */
import {
  flag,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  parseFrame,
  text,
  time,
  word,
} from "./frames.ts";

/** A message as an event carries it: the same fields as `Message` in messages.ts, checked to be so in the worker. */
export interface LiveMessage {
  id: number;
  senderProfileId: number;
  recipientProfileId?: number | undefined;
  clientId?: string | undefined;
  bodyText: string;
  profilePicIds: number[];
  attachment?: LiveAttachment | null | undefined;
  sentToMany?: boolean | undefined;
  tsCreated: string;
  tsDelivered?: string | null | undefined;
  tsRecipientRead: string | null;
  tsRecipientDeleted: string | null;
  tsSenderDeleted: string | null;
  tsUnsent?: string | null | undefined;
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
  clientId: optional(text),
  bodyText: text,
  profilePicIds: list(id),
  attachment: optional(
    nullable(
      oneOf<LiveAttachment>({
        position: { lat: number, lon: number, exact: flag },
        album: { tsExpires: nullable(time) },
        once: { kind: word("picture", "voice"), tsExpires: time, tsOpened: nullable(time) },
        voice: { voiceId: id, durationMs: integer, peaks: list(integer) },
      }),
    ),
  ),
  sentToMany: optional(flag),
  tsCreated: time,
  tsDelivered: optional(nullable(time)),
  tsRecipientRead: nullable(time),
  tsRecipientDeleted: nullable(time),
  tsSenderDeleted: nullable(time),
  tsUnsent: optional(nullable(time)),
});

/** From the server to a member's devices. */
export type ServerEvent =
  /** The socket stands. */
  | { type: "ready" }
  /** A message of a conversation, to its recipient and to the sender's other devices. */
  | { type: "message"; message: LiveMessage }
  /** A message of the map chat. */
  | { type: "broadcast"; message: LiveMessage; senderProfileName: string; senderPicId: number | null }
  /** These messages reached a device of `profileId`. */
  | { type: "delivered"; profileId: number; messageIds: number[]; ts: string }
  /**
   * `profileId` has seen everything up to this id that `withProfileId` wrote. To the reader's other devices too, with null: the
   * message says which conversation it is, and nobody learns the id of a member who is not visible to them.
   */
  | { type: "seen"; profileId: number; withProfileId: number | null; upToMessageId: number; ts: string }
  | { type: "typing"; profileId: number }
  /** Taken back, or removed by this member on another device. `profileId` is who took it back; null: this member, or map chat. */
  | { type: "unsent"; messageId: number; profileId: number | null }
  /** What opens once was opened, by `profileId`. */
  | { type: "opened"; messageId: number; profileId: number; ts: string }
  /** Something new in the list of notifications. */
  | { type: "notification"; kind: string }
  /** Members in a watched square of the map who came, went or look different; none named: too many, all have to be read anew. */
  | { type: "around"; profileIds: number[] };

const parseServer = oneOf<ServerEvent>({
  ready: {},
  message: { message: parseMessage },
  broadcast: { message: parseMessage, senderProfileName: text, senderPicId: nullable(id) },
  delivered: { profileId: id, messageIds: list(id), ts: time },
  seen: { profileId: id, withProfileId: nullable(id), upToMessageId: id, ts: time },
  typing: { profileId: id },
  unsent: { messageId: id, profileId: nullable(id) },
  opened: { messageId: id, profileId: id, ts: time },
  notification: { kind: text },
  around: { profileIds: list(id) },
});

/** From a device to the server. Sending is REST or tRPC alone: it needs an answer that the message is stored. */
export type ClientEvent = { type: "typing"; toProfileId: number } | { type: "delivered"; messageIds: number[] };

const parseClient = oneOf<ClientEvent>({
  typing: { toProfileId: id },
  delivered: { messageIds: list(id, { min: 1, max: 100 }) },
});

/** Sent as plain text and answered by the runtime without waking the object. */
export const SOCKET_PING = "ping";
export const SOCKET_PONG = "pong";

/** Why the server closes a socket: the session ended, or the member may not be here now; */
export const SOCKET_ENDED = 4401;
/** or the member is published in another area now and must join that one. */
export const SOCKET_MOVED = 4409;

/** A frame as an event; undefined for anything else, which both ends ignore. */
export const parseServerEvent = (frame: unknown): ServerEvent | undefined => parseFrame(parseServer, frame);
export const parseClientEvent = (frame: unknown): ClientEvent | undefined => parseFrame(parseClient, frame);
