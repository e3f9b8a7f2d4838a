import type { QuotaName } from "./quotas.ts";

/** How an error code is reported over tRPC and REST. */
export interface ErrorDefinition {
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
  /** Default message; the code that throws may replace it with one that names the field or limit. */
  readonly text: string;
}

/** Every possible `error.code` of a response, and when it is thrown. */
export const ERRORS = {
  /** A value does not match its schema; the message names the field. */
  BAD_INPUT: { trpc: "BAD_REQUEST", status: 400, text: "The request is not valid." },
  /** No session, or an expired one. */
  NOT_LOGGED_IN: { trpc: "UNAUTHORIZED", status: 401, text: "Please log in." },
  /** The session's device has an app lock, and the request does not show that it is open. */
  LOCKED: { trpc: "UNAUTHORIZED", status: 401, text: "Unlock this device first." },
  /** Wrong email address or password. The text is part of the public contract. */
  LOGIN_FAILED: { trpc: "UNAUTHORIZED", status: 401, text: "Password and/or Email address is incorrect" },
  /** Recovery words were entered: the lock-down is over, and the login follows as always. */
  LOCKDOWN_ENDED: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "The lock-down is over. Log in now as you always do.",
  },
  /** The login link is used, expired or unknown. */
  LINK_EXPIRED: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This link has expired or was used before. Request a new one.",
  },
  /** The six digits are wrong, used, expired or tried too often, or the ticket is unknown. The response never reveals which. */
  CODE_WRONG: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This code is wrong or no longer works. Check it, open the link in the mail, or ask for a new one.",
  },
  /** The passkey is unknown, removed, cloned, of a closed account, or signed something else. The response never reveals which. */
  PASSKEY_REFUSED: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This passkey does not open an account here. Log in with a link or your password.",
  },
  /** The login link was requested on another of the sites, where it remains valid. */
  LINK_OF_OTHER_SITE: {
    trpc: "UNAUTHORIZED",
    status: 401,
    text: "This link is for another of our sites. Open it there, as it stands in the mail.",
  },
  /** The login link was opened on a device that did not request it, so the account must be confirmed first. */
  LINK_UNCONFIRMED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "This device did not ask for this link. Confirm whose account you want to open.",
  },
  /** The caller is known but lacks permission: another member's settings, an admin call. */
  NOT_ALLOWED: { trpc: "FORBIDDEN", status: 403, text: "You may not do this." },
  /** A state-changing request whose Origin is not this site. */
  FOREIGN_ORIGIN: { trpc: "FORBIDDEN", status: 403, text: "Cross-origin requests are refused." },
  /** A sensitive action without the current password, from a session without a fresh proof. */
  CONFIRMATION_NEEDED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "Enter your current password, or log in again by a link.",
  },
  /** A suspended or banned member calls anything that is not open to them. */
  SUSPENDED: { trpc: "FORBIDDEN", status: 403, text: "Your account is suspended." },
  /** The action requires the member to be visible, such as writing while hidden. */
  HIDING: { trpc: "FORBIDDEN", status: 403, text: "You are hiding. Show yourself first." },
  /** A discreet member does what would show them, or their act, to members who do not see them. */
  DISCREET: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "You are discreet: this would show you to somebody you did not choose.",
  },
  /** Too many messages to a member who never answered. */
  UNANSWERED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "He has not answered yet. You can write more once he does.",
  },
  /** A first message that the sender already wrote to somebody else, or one very similar to it. */
  OPENING_REPEATED: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "You have already sent this to somebody else. Change it into something just for him: it stays in the field.",
  },
  /** Unsolicited pictures from a sender whose pictures several members declined. */
  ASK_FIRST: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "Ask in words first, and wait for an answer.",
  },
  /** The law of the place requires a proof of age first. */
  AGE_PROOF_NEEDED: { trpc: "FORBIDDEN", status: 403, text: "This needs a proof of age where you are." },
  /** The age proof was refused; `reason` is one of AGE_OUTCOMES. */
  AGE_PROOF_REFUSED: { trpc: "BAD_REQUEST", status: 400, text: "This proof of age was refused." },
  /** Very many login links were requested: the request needs a solved challenge (POST /api/notice-challenge) that is `limit` steps harder. */
  WORK_NEEDED: {
    trpc: "PRECONDITION_FAILED",
    status: 428,
    text: "Very many people are asking for a link right now. Solve a challenge and send the request again.",
  },
  /** A visitor's call on a brand that has not opened yet; who belongs to its team gets the login link nevertheless. */
  NOT_OPEN: {
    trpc: "FORBIDDEN",
    status: 403,
    text: "This site is not open yet. Whoever belongs to its team gets a link by mail.",
  },
  /** Registration is closed in this place. */
  CLOSED_HERE: { trpc: "FORBIDDEN", status: 451, text: "Nobody can join from the place you are in for now." },
  /** Does not exist, or is invisible to this member. The response never reveals which. */
  NOT_FOUND: { trpc: "NOT_FOUND", status: 404, text: "Not found." },
  /** The email address belongs to another account, or another tab saved a newer edit. */
  CONFLICT: { trpc: "CONFLICT", status: 409, text: "This was changed meanwhile." },
  /** The page acts for one account but the session belongs to another. No other error has this status. */
  OTHER_ACCOUNT: { trpc: "PRECONDITION_FAILED", status: 412, text: "Somebody else is logged in here now." },
  TOO_LARGE: { trpc: "PAYLOAD_TOO_LARGE", status: 413, text: "The file is too large." },
  WRONG_TYPE: { trpc: "UNSUPPORTED_MEDIA_TYPE", status: 415, text: "This kind of file is not supported." },
  /** The Host header matches no brand. */
  UNKNOWN_HOST: { trpc: "MISDIRECTED", status: 421, text: "This address is not served here." },
  /** A rate limit or quota is reached; the response has a Retry-After header. */
  TOO_MANY_REQUESTS: { trpc: "TOO_MANY_REQUESTS", status: 429, text: "Too many tries. Please wait a little." },
  /** A dependency does not respond, or its monthly quota is used up; the same call may succeed later. */
  UNAVAILABLE: {
    trpc: "SERVICE_UNAVAILABLE",
    status: 503,
    text: "This does not work right now. Please try again later.",
  },
  /** A bug or failure on our side, never bad input. */
  INTERNAL: { trpc: "INTERNAL_SERVER_ERROR", status: 500, text: "Something went wrong on our side." },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** The body of every error response: REST sends it as is, tRPC under `error.data.error`. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    /** The specific cause, such as a key of PICTURE_REFUSALS or INPUT_PROBLEMS. */
    readonly reason?: string;
    /** The number in the text of an input problem. */
    readonly limit?: number;
    /** The quota that is used up. */
    readonly quota?: QuotaName;
    /** Repeated from the header, which cannot distinguish the calls of a batch. */
    readonly retryAfterSeconds?: number;
  };
}
