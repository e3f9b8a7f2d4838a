/** Safe-meet plans on the wire. Their content is encrypted with a key that stays in the link's fragment. */
import { z } from "zod";
import {
  MEET_GRACE_MAX_MS,
  MEET_MAX_MS,
  MEET_MIN_MS,
  MEET_PLAN_BYTES,
  MEET_POSITION_BYTES,
  MEET_POSITIONS_EACH_MAX,
  MEET_SEAL_BYTES,
} from "./limits.ts";
import { PushKeys } from "./push.ts";

const base64Length = (bytes: number) => Math.ceil((bytes * 4) / 3);
const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/, { message: "is not base64url" });
/** Exactly `count` bytes, as base64url. */
const bytes = (count: number) => Base64Url.length(base64Length(count));

/** The first letters of the hash of the token of the member's device: by another plan of this id anybody could try whether there is one. */
export const MeetId = bytes(16);
/** 256 bits: a token, or the hash of one. */
const Token = bytes(32);

export const SealedPlan = bytes(MEET_PLAN_BYTES + MEET_SEAL_BYTES);
export const SealedPosition = bytes(MEET_POSITION_BYTES + MEET_SEAL_BYTES);

export const CreateMeetRequest = z
  .object({
    id: MeetId,
    owner: Token,
    /** Hashes of the tokens derived from the link, the PIN and the second PIN. */
    reader: Token,
    fine: Token,
    help: Token,
    /** Durations rather than times, because the device's clock may be wrong. */
    runsMs: z.number().int().min(MEET_MIN_MS).max(MEET_MAX_MS),
    graceMs: z.number().int().min(0).max(MEET_GRACE_MAX_MS),
    plan: SealedPlan,
  })
  .refine(({ fine, help }) => fine !== help, { path: ["help"], message: "help: is the same as fine" });
export type CreateMeetRequest = z.infer<typeof CreateMeetRequest>;

/** The state of a plan, as its maker sees it. */
export const MeetStatus = z.object({
  state: z.enum(["running", "raised"]),
  /** When the check-in is due and when the friend's page opens, in milliseconds by the server's clock. */
  deadline: z.number(),
  alarmAt: z.number(),
  /** The deadline cannot be extended beyond this. */
  latest: z.number(),
  /** How many devices of friends the alarm wakes. */
  phones: z.number(),
});
export type MeetStatus = z.infer<typeof MeetStatus>;

export const OwnMeetRequest = z.object({ id: MeetId, owner: Token });
export const MeetPositionRequest = OwnMeetRequest.extend({ position: SealedPosition });

/** "I am fine", or more time. `from` is the deadline that is being extended, so that a repeated call changes nothing. */
export const PinAction = z.discriminatedUnion("type", [
  z.object({ type: z.literal("fine") }),
  z.object({
    type: z.literal("extend"),
    from: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    byMs: z.number().int().min(1).max(MEET_MAX_MS),
  }),
]);
export type PinAction = z.infer<typeof PinAction>;

/**
 * `pin` is derived from either PIN, and the response is the same for both. The link's token is required, so that nobody else can guess PINs.
 * The maker's device adds its own token, so that its tries are its own.
 */
export const MeetAnswerRequest = z.object({
  id: MeetId,
  reader: Token,
  owner: Token.optional(),
  pin: Token,
  act: PinAction,
});
export type MeetAnswerRequest = z.infer<typeof MeetAnswerRequest>;
export const MeetAnswerResponse = z.object({
  accepted: z.boolean(),
  triesLeft: z.number(),
  /** Of the extended plan. */
  status: MeetStatus.optional(),
});
export type MeetAnswerResponse = z.infer<typeof MeetAnswerResponse>;

export const FriendMeetRequest = z.object({ id: MeetId, reader: Token });

export const FriendDevice = PushKeys.extend({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  locale: z.enum(["en", "es"]),
});
export type FriendDevice = z.infer<typeof FriendDevice>;
export const FriendSubscribeRequest = FriendMeetRequest.extend({ device: FriendDevice });

const Position = z.object({ ts: z.number(), position: SealedPosition });

/** What the friend's page receives. The plan is only included after an alarm. */
export const FriendMeetState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting"), now: z.number(), deadline: z.number(), alarmAt: z.number() }),
  z.object({
    state: z.literal("raised"),
    now: z.number(),
    /** silence: the deadline passed. pin: the maker covertly asked for help with the second PIN. */
    reason: z.enum(["silence", "pin"]),
    raisedAt: z.number(),
    erasedAt: z.number(),
    plan: SealedPlan,
    positions: z.array(Position).max(2 * MEET_POSITIONS_EACH_MAX),
  }),
  /** The maker answered after the alarm. */
  z.object({ state: z.literal("safe"), now: z.number(), safeAt: z.number() }),
  /** Ended, erased or never existed. */
  z.object({ state: z.literal("over"), now: z.number() }),
]);
export type FriendMeetState = z.infer<typeof FriendMeetState>;
/** `country` is the friend's, as determined by the network edge, to show the emergency number. */
export const FriendMeetResponse = z.object({ answer: FriendMeetState, country: z.string().nullable() });
export type FriendMeetResponse = z.infer<typeof FriendMeetResponse>;

/** What the form needs before a plan is made. */
export const MeetContext = z.object({
  country: z.string().nullable(),
  /** Origin of the friend's link. */
  origin: z.string(),
  /** The host of that origin does not reveal a brand. */
  isNeutral: z.boolean(),
});
export type MeetContext = z.infer<typeof MeetContext>;
