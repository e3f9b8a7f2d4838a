/** Events sent over WebSockets, parsed on both ends. */

/**
 * A minimal parser for JSON frames, instead of zod, because every page of the application loads it. Each parser returns a copy of
 * the value with only the known fields, or INVALID.
 */
const INVALID = Symbol("invalid");
type Parse<T> = (value: unknown) => T | typeof INVALID;

const check =
  <T>(passes: (value: never) => boolean): Parse<T> =>
  (value) =>
    passes(value as never) ? (value as T) : INVALID;

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

const integer = check<number>(Number.isSafeInteger);
const id = check<number>((value: number) => Number.isSafeInteger(value) && value > 0);
const number = check<number>(Number.isFinite);
const string = check<string>((value) => typeof value === "string");
const boolean = check<boolean>((value) => typeof value === "boolean");
/** One of several string literals. */
const literal = <T extends string>(...literals: readonly T[]) => check<T>((value: T) => literals.includes(value));
/** ISO 8601 in UTC. */
const timestamp = check<string>(
  (value: string) => typeof value === "string" && DATETIME.test(value) && !Number.isNaN(Date.parse(value)),
);

const nullable =
  <T>(parse: Parse<T>): Parse<T | null> =>
  (value) =>
    value === null ? null : parse(value);

const optional =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (value) =>
    value === undefined ? undefined : parse(value);

const list =
  <T>(parse: Parse<T>, { min = 0, max = Number.POSITIVE_INFINITY } = {}): Parse<T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return INVALID;
    const items = value.map(parse);
    return items.includes(INVALID) ? INVALID : (items as T[]);
  };

/** The type of what a parser returns. */
type Parsed<Parser> = Parser extends Parse<infer T> ? T : never;

type Fields = Readonly<Record<string, Parse<unknown>>>;
type OptionalKey<F extends Fields> = { [Key in keyof F]: undefined extends Parsed<F[Key]> ? Key : never }[keyof F];
type ObjectOf<F extends Fields> = { [Key in Exclude<keyof F, OptionalKey<F>>]: Parsed<F[Key]> } & {
  [Key in OptionalKey<F>]?: Parsed<F[Key]>;
};

const object =
  <F extends Fields>(fields: F): Parse<ObjectOf<F>> =>
  (value) => {
    if (typeof value !== "object" || value === null) return INVALID;
    const parsed: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries(fields)) {
      const field = parse((value as Record<string, unknown>)[name]);
      if (field === INVALID) return INVALID;
      if (field !== undefined) parsed[name] = field;
    }
    return parsed as ObjectOf<F>;
  };

/** A union discriminated by `type`. */
const taggedUnion =
  <Members extends Readonly<Record<string, Fields>>>(
    members: Members,
  ): Parse<{ [Type in keyof Members]: { type: Type } & ObjectOf<Members[Type]> }[keyof Members]> =>
  (value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(members, type)) return INVALID;
    const rest = object(members[type] ?? {})(value);
    return rest === INVALID ? INVALID : ({ type, ...rest } as never);
  };

/** Parses a text frame; undefined if it is not valid JSON of that shape. */
function parseFrame<T>(parse: Parse<T>, frame: unknown): T | undefined {
  if (typeof frame !== "string") return undefined;
  try {
    const value = parse(JSON.parse(frame));
    return value === INVALID ? undefined : value;
  } catch {
    return undefined;
  }
}

export const REACTIONS = ["heart", "fire", "laugh", "wow", "sad", "thumb"] as const;

/** A message in an event. It has the same fields as `Message` in messages.ts; a type check in the worker enforces that. */
const parseMessage = object({
  id,
  senderProfileId: integer,
  recipientProfileId: optional(id),
  clientId: optional(string),
  bodyText: string,
  profilePicIds: list(id),
  attachment: optional(
    nullable(
      taggedUnion({
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
export type LiveMessage = Parsed<typeof parseMessage>;

/** Sent by the server to a member's devices. */
const parseServer = taggedUnion({
  /** The socket is ready. */
  ready: {},
  /** A message of a conversation, sent to the recipient and to the sender's other devices. */
  message: { message: parseMessage },
  /** A message of the map chat. */
  broadcast: { message: parseMessage, senderProfileName: string, senderPicId: nullable(id) },
  /** The messages reached a device of `profileId`. */
  delivered: { profileId: id, messageIds: list(id), ts: timestamp },
  /**
   * `profileId` has seen everything up to this id that `withProfileId` wrote. The reader's other devices get null instead, so that they
   * never learn the id of an invisible member; the message id identifies the conversation.
   */
  seen: { profileId: id, withProfileId: nullable(id), upToMessageId: id, ts: timestamp },
  typing: { profileId: id },
  /** Unsent, or removed by this member on another device. `profileId` is who unsent it; null: this member, or a broadcast. */
  unsent: { messageId: id, profileId: nullable(id) },
  /** The recipient's reaction to a message; null: withdrawn. Sent to the sender and to the recipient's other devices. */
  reacted: { messageId: id, reaction: nullable(literal(...REACTIONS)) },
  /** A picture or voice message that opens once was opened by `profileId`. */
  opened: { messageId: id, profileId: id, ts: timestamp },
  /** There is a new notification. */
  notification: { kind: string },
  /** Members who arrived, left or changed in a watched square of the map. Empty: too many to list, so reload the square. */
  around: { profileIds: list(id) },
});
export type ServerEvent = Parsed<typeof parseServer>;

/** Sent by a device to the server. Messages are sent by REST or tRPC only, because sending needs a response that they are stored. */
const parseClient = taggedUnion({
  typing: { toProfileId: id },
  /** The page came to the front or left it. While it is there, news are shown there and not pushed. */
  visible: { visible: boolean },
  delivered: { messageIds: list(id, { min: 1, max: 100 }) },
});
export type ClientEvent = Parsed<typeof parseClient>;

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
