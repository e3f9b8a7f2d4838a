/** Safe-meet: what crosses the wire about a plan. Nothing here can be read without the key, which stays in the link's fragment. */
import { z } from "zod";
import {
  MEET_GRACE_MAX_MS,
  MEET_MAX_MS,
  MEET_MIN_MS,
  MEET_PLAN_BYTES,
  MEET_POSITION_BYTES,
  MEET_POSITIONS_MAX,
  MEET_SEAL_BYTES,
} from "./limits.ts";

const base64Length = (bytes: number) => Math.ceil((bytes * 4) / 3);
const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/, { message: "is not base64url" });
/** Exactly so many bytes, as base64url. */
const bytes = (count: number) => Base64Url.length(base64Length(count));

/** 128 random bits from the maker's device. */
export const MeetId = bytes(16);
/** 256 bits: a token, or the hash of one. */
const Token = bytes(32);

export const SealedPlan = bytes(MEET_PLAN_BYTES + MEET_SEAL_BYTES);
export const SealedPosition = bytes(MEET_POSITION_BYTES + MEET_SEAL_BYTES);

export const CreateMeetRequest = z
  .object({
    id: MeetId,
    /** Hashes of the tokens that the link, the maker's device, the PIN and the second PIN make. */
    reader: Token,
    owner: Token,
    fine: Token,
    help: Token,
    /** Durations, since a device's clock may be wrong. */
    runsMs: z.number().int().min(MEET_MIN_MS).max(MEET_MAX_MS),
    graceMs: z.number().int().min(0).max(MEET_GRACE_MAX_MS),
    plan: SealedPlan,
  })
  .refine(({ fine, help }) => fine !== help, { path: ["help"], message: "help: is the same as fine" });
export type CreateMeetRequest = z.infer<typeof CreateMeetRequest>;

/** How a plan stands, as its maker may see it. */
export const MeetStatus = z.object({
  state: z.enum(["running", "raised"]),
  /** Milliseconds, by the server's clock: when the answer is due, and when the friend's page opens. */
  deadline: z.number(),
  alarmAt: z.number(),
  /** Nothing can be put off beyond. */
  latest: z.number(),
});
export type MeetStatus = z.infer<typeof MeetStatus>;

export const OwnMeetRequest = z.object({ id: MeetId, owner: Token });
export const MeetPositionRequest = OwnMeetRequest.extend({ position: SealedPosition });

/** "I am fine", or a later deadline: a time instead of a duration, so that a repeated call changes nothing. */
export const PinAct = z.discriminatedUnion("type", [
  z.object({ type: z.literal("fine") }),
  z.object({ type: z.literal("extend"), deadline: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
]);
export type PinAct = z.infer<typeof PinAct>;

/** `pin` is what the device made of either PIN; both are answered with the same bytes. Without the link nobody has a try. */
export const MeetAnswerRequest = z.object({ id: MeetId, reader: Token, pin: Token, act: PinAct });
export const MeetAnswerResponse = z.object({ accepted: z.boolean(), triesLeft: z.number() });

export const FriendMeetRequest = z.object({ id: MeetId, reader: Token });

const Base64 = z.string().regex(/^[A-Za-z0-9+/_-]+={0,2}$/);
export const FriendDevice = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  auth_base64: Base64.max(32),
  p256dh_base64: Base64.max(100),
  locale: z.enum(["en", "es"]),
});
export type FriendDevice = z.infer<typeof FriendDevice>;
export const FriendSubscribeRequest = FriendMeetRequest.extend({ device: FriendDevice });

const Position = z.object({ ts: z.number(), position: SealedPosition });

/** What the friend's page gets. The plan comes with an alarm and not before. */
export const FriendAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting"), now: z.number(), deadline: z.number(), alarmAt: z.number() }),
  z.object({
    state: z.literal("raised"),
    now: z.number(),
    /** silence: the time passed. pin: the maker asked for help in a way that shows nobody. */
    reason: z.enum(["silence", "pin"]),
    raisedAt: z.number(),
    erasedAt: z.number(),
    plan: SealedPlan,
    positions: z.array(Position).max(MEET_POSITIONS_MAX),
  }),
  /** The maker answered after the alarm. */
  z.object({ state: z.literal("safe"), now: z.number(), safeAt: z.number() }),
  /** Ended, erased or never there. */
  z.object({ state: z.literal("over"), now: z.number() }),
]);
export type FriendAnswer = z.infer<typeof FriendAnswer>;
/** The friend's country, as the network's edge tells it, for the emergency number. */
export const FriendMeet = z.object({ answer: FriendAnswer, country: z.string().nullable() });
export type FriendMeet = z.infer<typeof FriendMeet>;

/** What the sheet needs before a plan is made. */
export const MeetPlace = z.object({
  country: z.string().nullable(),
  /** Where the link leads. */
  origin: z.string(),
  /** That host names no brand. */
  isNeutral: z.boolean(),
});
export type MeetPlace = z.infer<typeof MeetPlace>;
