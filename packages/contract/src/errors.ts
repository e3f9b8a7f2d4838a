import type { QuotaName } from "./quotas.ts";

/** How one error code answers on each wire. */
export interface ErrorAnswer {
  /** tRPC error code. */
  readonly trpc:
    | "BAD_REQUEST"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "CONFLICT"
    | "PRECONDITION_FAILED"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "TOO_MANY_REQUESTS"
    | "MISDIRECTED"
    | "SERVICE_UNAVAILABLE"
    | "INTERNAL_SERVER_ERROR";
  readonly status: number;
  /** Default text; the thrower may name the field or the limit instead. */
  readonly text: string;
}

/** Every code that an answer's `error.code` can carry, and when it is thrown. */
export const ERRORS = {
  /** A value does not fit its schema; the message names the field. */
  BAD_INPUT: { trpc: "BAD_REQUEST", status: 400, text: "The request is not valid." },
  /** No session, or one that ended. */
  NOT_LOGGED_IN: { trpc: "UNAUTHORIZED", status: 401, text: "Please log in." },
  /** Login with a wrong address or password; the text is part of the public contract. */
  LOGIN_FAILED: { trpc: "UNAUTHORIZED", status: 401, text: "Password and/or Email address is incorrect" },
  /** A login link that is used, expired or unknown. */
  LINK_EXPIRED: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This link has expired or was used before. Request a new one.",
  },
  /** Six digits that are wrong, used, old or tried too often, or a ticket that nobody was given; the five never differ. */
  CODE_WRONG: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This code is wrong or no longer works. Check it, open the link in the mail, or ask for a new one.",
  },
  /** A passkey that opens nothing here: unknown, removed, copied, of a closed account, or one that signed something else; they never differ. */
  PASSKEY_REFUSED: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This passkey does not open an account here. Log in with a link or your password.",
  },
  /** A login link that is used on another site than the one it was asked for; it stays good there. */
  LINK_OF_OTHER_SITE: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This link is for another of our sites. Open it there, as it stands in the mail.",
  },
  /** A login link on a device that did not ask for it: the account must be confirmed first. */
  LINK_UNCONFIRMED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "This device did not ask for this link. Confirm whose account you want to open.",
  },
  /** Known to us, but not for this member: another member's settings, an admin call. */
  NOT_ALLOWED: { trpc: "FORBIDDEN", status: 403, text: "You may not do this." },
  /** A state change whose Origin is not this site. */
  FOREIGN_ORIGIN: { trpc: "FORBIDDEN", status: 403, text: "Cross-origin requests are refused." },
  /** What only the owner may do: without the current password, and from a session without a fresh proof. */
  CONFIRMATION_NEEDED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "Enter your current password, or log in again by a link.",
  },
  /** A suspended or banned member asks for anything but the state of the sanction. */
  SUSPENDED: { trpc: "FORBIDDEN", status: 403, text: "Your account is suspended." },
  /** The action needs a visible member: writing while hidden. */
  HIDING: { trpc: "FORBIDDEN", status: 403, text: "You are hiding. Show yourself first." },
  /** More messages to a member who never answered. */
  UNANSWERED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "He has not answered yet. You can write more once he does.",
  },
  /** A first message that its sender wrote to somebody else before, or one much like it. */
  OPENING_REPEATED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "You wrote this to somebody else before. Change it into something for him alone: it stays in the field.",
  },
  /** Pictures, unasked, from somebody whose pictures several members declined. */
  ASK_FIRST: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "Ask in words first, and wait for an answer.",
  },
  /** The law of the place asks for a proof of age first. */
  AGE_PROOF_NEEDED: { trpc: "FORBIDDEN", status: 403, text: "This needs a proof of age where you are." },
  /** An answer to a request for a proof that proves nothing; `reason` is one of AGE_OUTCOMES. */
  AGE_PROOF_REFUSED: { trpc: "BAD_REQUEST", status: 400, text: "This proof of age was refused." },
  /** Nobody may join from this place. */
  CLOSED_HERE: { trpc: "FORBIDDEN", status: 451, text: "Nobody can join from the place you are in for now." },
  /** Absent, or invisible to this member; the two never differ. */
  NOT_FOUND: { trpc: "NOT_FOUND", status: 404, text: "Not found." },
  /** An address that another account has, an edit that another tab overtook. */
  CONFLICT: { trpc: "CONFLICT", status: 409, text: "This was changed meanwhile." },
  /** The page acts for one account while its session is another's. No other answer has this status. */
  OTHER_ACCOUNT: { trpc: "PRECONDITION_FAILED", status: 412, text: "Somebody else is logged in here now." },
  TOO_LARGE: { trpc: "PAYLOAD_TOO_LARGE", status: 413, text: "The file is too large." },
  WRONG_TYPE: { trpc: "UNSUPPORTED_MEDIA_TYPE", status: 415, text: "This kind of file is not supported." },
  /** A Host that is no brand. */
  UNKNOWN_HOST: { trpc: "MISDIRECTED", status: 421, text: "This address is not served here." },
  /** A cap is reached; the answer carries Retry-After. */
  TOO_MANY_REQUESTS: { trpc: "TOO_MANY_REQUESTS", status: 429, text: "Too many tries. Please wait a little." },
  /** Something that the site needs does not answer, or its month is used up; the same call may succeed later. */
  UNAVAILABLE: {
    trpc: "SERVICE_UNAVAILABLE",
    status: 503,
    text: "This does not work right now. Please try again later.",
  },
  /** A fault of ours. Never for bad input. */
  INTERNAL: { trpc: "INTERNAL_SERVER_ERROR", status: 500, text: "Something went wrong on our side." },
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorCode = keyof typeof ERRORS;

/** The body of every error answer: REST sends it as it is, tRPC under `error.data.error`. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    /** Which of the causes of this code: for a picture, a key of PICTURE_REFUSALS. */
    readonly reason?: string;
    /** Which of the member's quotas is used up. */
    readonly quota?: QuotaName;
    /** Beside the header, since one header cannot tell the calls of a batch apart. */
    readonly retryAfterSeconds?: number;
  };
}
