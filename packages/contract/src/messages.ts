import { z } from "zod";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  FIRST_CONTACT_DISTANCE_MAX_METERS,
  MESSAGE_PICTURES_MAX,
  PHRASE_MAX_CHARS,
  PHRASES_MAX,
  UNWANTED_WORD_MAX_CHARS,
  UNWANTED_WORDS_MAX,
} from "./limits.ts";
import { Flag, Id, Latitude, Line, Longitude, numeric, pageSize, Time, TrimmedText } from "./primitives.ts";

/** Made by the sender, so that a repeated send is the same message. */
export const ClientMessageId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);

/** What a message carries beyond text and pictures. */
export const MessageAttachment = z.discriminatedUnion("type", [
  /** The sender's published position, or, on explicit choice, the middle of an 11 m cell. */
  z.object({ type: z.literal("position"), lat: z.number(), lon: z.number(), exact: z.boolean() }),
  /** The sender opened the private album to the recipient. */
  z.object({ type: z.literal("album"), tsExpires: Time.nullable() }),
  /** What opens once. What it shows or says is in no answer but the one to its opening. */
  z.object({
    type: z.literal("once"),
    kind: z.enum(["picture", "voice"]),
    tsExpires: Time,
    tsOpened: Time.nullable(),
  }),
  z.object({ type: z.literal("voice"), voiceId: Id, durationMs: z.number().int(), peaks: z.array(z.number().int()) }),
]);
export type MessageAttachment = z.infer<typeof MessageAttachment>;

/** Whose id stands in place of a member who is not visible to the reader now. */
export const NOBODY = 0;

export const Message = z.object({
  id: Id,
  /** NOBODY when the sender is not visible to the reader now: history stays, identity goes. */
  senderProfileId: z.number().int().min(NOBODY),
  /** Absent for a broadcast, and for a recipient who is not visible now. */
  recipientProfileId: Id.optional(),
  /** On the sender's own messages only: devices match them with their outbox. */
  clientId: z.string().optional(),
  bodyText: z.string(),
  profilePicIds: z.array(Id),
  attachment: MessageAttachment.nullable().optional(),
  /** The same opening text went to many members. */
  sentToMany: z.boolean().optional(),
  tsCreated: Time,
  tsDelivered: Time.nullable().optional(),
  tsRecipientRead: Time.nullable(),
  tsRecipientDeleted: Time.nullable(),
  tsSenderDeleted: Time.nullable(),
});
export type Message = z.infer<typeof Message>;

const AttachmentDraft = z.union([
  /** The server adds the place; no client can say it. */
  z.object({ type: z.literal("position"), exact: z.literal(false) }),
  z.object({ type: z.literal("position"), exact: z.literal(true), lat: Latitude, lon: Longitude }),
  z.object({ type: z.literal("album"), tsExpires: Time.nullish() }),
  /** An own picture that was uploaded for this one message. */
  z.object({ type: z.literal("once"), pictureId: Id }),
  /** An own recording that was uploaded for this one message. */
  z.object({ type: z.literal("voice"), voiceId: Id }),
]);

/** POST /api/message. The server's clock sets the time; a sent `tsCreated` is accepted and ignored. */
export const MessageDraft = z
  .object({
    recipientProfileId: Id.nullish(),
    bodyText: TrimmedText.default(""),
    profilePicIds: z.array(Id).max(MESSAGE_PICTURES_MAX).default([]),
    attachment: AttachmentDraft.nullish(),
    senderProfileId: Id.optional(),
    tsCreated: z.union([Time, z.number()]).optional(),
    clientId: ClientMessageId.optional(),
  })
  .refine((draft) => draft.bodyText !== "" || draft.profilePicIds.length > 0 || draft.attachment, {
    path: ["bodyText"],
    message: "write something or choose a picture",
  })
  .refine((draft) => draft.recipientProfileId || !draft.attachment, {
    path: ["attachment"],
    message: "is for one man, not for the map chat",
  });
export type MessageDraft = z.input<typeof MessageDraft>;

/**
 * POST /api/message/{id}/open. `opening`: the device's word for this one opening, with which it alone may repeat a download that broke off.
 */
export const OnceOpening = z.object({ opening: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/) });

/**
 * `since`: the oldest first after that id. `before`, or neither: the newest first, before that id. Messages come while one pages, so
 * there are no numbered pages to go by: a later one than the first is refused, not answered with the first again.
 */
export const MessagePage = z.object({
  sinceMessageId: Id.or(z.literal("0").transform(Number)).or(z.literal(0)).optional(),
  beforeMessageId: Id.optional(),
  page: numeric(
    z.number().int().min(0).max(0, { message: "goes no further: name beforeMessageId instead" }),
  ).optional(),
  size: pageSize(0).optional(),
});

/** The other side of a conversation in a list. */
export const ChatPartner = z.object({
  profileId: Id,
  profileName: z.string(),
  picId: Id.nullable(),
  /** Seen within half an hour. */
  online: z.boolean(),
});
export type ChatPartner = z.infer<typeof ChatPartner>;

export const Conversation = z.object({
  /** null: the other member is not visible to the reader now. The history opens by `message.id`. */
  other: ChatPartner.nullable(),
  unread: z.number().int(),
  message: Message,
});
export type Conversation = z.infer<typeof Conversation>;

/** A conversation is named by the other member, or, while that member is not visible, by any message of it. */
export const ConversationName = z.object({ profileId: Id.optional(), messageId: Id.optional() });

/** What reached a device: messages by their ids, or everything that waited, up to one. */
export const Delivered = z
  .object({ messageIds: z.array(Id).min(1).max(100).optional(), upToMessageId: Id.optional() })
  .refine(({ messageIds, upToMessageId }) => (messageIds === undefined) !== (upToMessageId === undefined), {
    path: ["messageIds"],
    error: "Name the messages, or the last of them.",
  });
export type Delivered = z.infer<typeof Delivered>;

export const BroadcastMessage = Message.extend({ senderProfileName: z.string(), senderPicId: Id.nullable() });
export type BroadcastMessage = z.infer<typeof BroadcastMessage>;

/** `lat:lon` of a sector: the south-west corner, whole degrees. */
export const SectorName = z
  .string()
  .regex(/^-?\d{1,2}:-?\d{1,3}$/, { message: "is not lat:lon in whole degrees" })
  .transform((text) => {
    const [lat = 0, lon = 0] = text.split(":").map(Number);
    return { lat, lon };
  })
  .refine(({ lat, lon }) => lat >= -90 && lat < 90 && lon >= -180 && lon < 180, { message: "is not on the globe" });

/** Who may begin a conversation with this member; those who already talk, or match, always may. */
export const FirstContact = z.object({
  matchesOnly: Flag.default(false),
  ageMin: z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS).nullable().default(null),
  ageMax: z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS).nullable().default(null),
  /** Between published positions. */
  distanceMaxMetres: z.number().int().min(1000).max(FIRST_CONTACT_DISTANCE_MAX_METERS).nullable().default(null),
});
export type FirstContact = z.infer<typeof FirstContact>;

/** Whose pictures stay covered until they are pressed: of everybody, of those whom the reader never wrote to, of nobody. */
const PICTURE_COVERS = ["always", "unknown", "never"] as const;
export const PictureCover = z.enum(PICTURE_COVERS);
export type PictureCover = z.infer<typeof PictureCover>;

/** A word, or a few in a row, that a member does not want to read in a first message. */
export const UnwantedWord = Line.min(2)
  .max(UNWANTED_WORD_MAX_CHARS)
  .refine((word) => /[\p{L}\p{N}]/u.test(word), { message: "needs a letter or a digit" });

export const ChatPreferences = z.object({
  firstContact: FirstContact,
  coverPictures: PictureCover,
  phrases: z.array(Line.min(1).max(PHRASE_MAX_CHARS)).max(PHRASES_MAX),
  unwantedWords: z.array(UnwantedWord).max(UNWANTED_WORDS_MAX),
});
export type ChatPreferences = z.infer<typeof ChatPreferences>;
