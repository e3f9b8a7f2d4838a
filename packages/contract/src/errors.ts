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

const define = (trpc: ErrorDefinition["trpc"], status: number, text: string): ErrorDefinition => ({
  trpc,
  status,
  text,
});

/** Every possible `error.code` of a response, and when it is thrown. */
export const ERRORS = {
  /** A value does not match its schema; the message names the field. */
  BAD_INPUT: define("BAD_REQUEST", 400, "The request isn't valid."),
  /** No session, or an expired one. */
  NOT_LOGGED_IN: define("UNAUTHORIZED", 401, "Please log in."),
  /** The session's device has an app lock, and the request does not show that it is open. */
  LOCKED: define("UNAUTHORIZED", 401, "Unlock this device first."),
  /** Wrong email address or password. The text is part of the public contract. */
  LOGIN_FAILED: define("UNAUTHORIZED", 401, "Password and/or Email address is incorrect"),
  /** Recovery words were entered: the lock-down is over, and the login follows as always. */
  LOCKDOWN_ENDED: define("UNAUTHORIZED", 401, "The lock-down is over. Log in now as you always do."),
  /** The login link is used, expired or unknown. */
  LINK_EXPIRED: define("UNAUTHORIZED", 401, "This link has expired or was used before. Request a new one."),
  /** The six digits are wrong, used, expired or tried too often, or the ticket is unknown. The response never reveals which. */
  CODE_WRONG: define(
    "UNAUTHORIZED",
    401,
    "That code's wrong or expired. Check it, open the link in the mail, or ask for a new one.",
  ),
  /** The passkey is unknown, removed, cloned, of a closed account, or signed something else. The response never reveals which. */
  PASSKEY_REFUSED: define(
    "UNAUTHORIZED",
    401,
    "This passkey doesn't open an account here. Log in with a link or your password.",
  ),
  /** The login link was requested on another of the sites, where it remains valid. */
  LINK_OF_OTHER_SITE: define(
    "UNAUTHORIZED",
    401,
    "This link is for another of our sites. Open it there, as it stands in the mail.",
  ),
  /** The login link was opened on a device that did not request it, so the account must be confirmed first. */
  LINK_UNCONFIRMED: define(
    "FORBIDDEN",
    403,
    "This device didn't ask for this link. Confirm whose account you want to open.",
  ),
  /** The caller is known but lacks permission: another member's settings, an admin call. */
  NOT_ALLOWED: define("FORBIDDEN", 403, "You may not do this."),
  /** A state-changing request whose Origin is not this site. */
  FOREIGN_ORIGIN: define("FORBIDDEN", 403, "Cross-origin requests are refused."),
  /** A sensitive action without the current password, from a session without a fresh proof. */
  CONFIRMATION_NEEDED: define("FORBIDDEN", 403, "Enter your current password, or log in again by a link."),
  /** A suspended or banned member calls anything that is not open to them. */
  SUSPENDED: define("FORBIDDEN", 403, "Your account is suspended."),
  /** The action requires the member to be visible, such as writing while hidden. */
  HIDING: define("FORBIDDEN", 403, "You're hiding. Show yourself first."),
  /** A discreet member does what would show them, or their act, to members who do not see them. */
  DISCREET: define("FORBIDDEN", 403, "You're discreet: this would show you to someone you didn't choose."),
  /** Too many messages to a member who never answered. */
  UNANSWERED: define("FORBIDDEN", 403, "He hasn't answered yet. You can write more once he does."),
  /** A first message that the sender already wrote to somebody else, or one very similar to it. */
  OPENING_REPEATED: define(
    "FORBIDDEN",
    403,
    "You already sent this to someone else. Make it his own: it stays in the field.",
  ),
  /** Unsolicited pictures from a sender whose pictures several members declined. */
  ASK_FIRST: define("FORBIDDEN", 403, "Ask in words first, and wait for an answer."),
  /** The law of the place requires a proof of age first. */
  AGE_PROOF_NEEDED: define("FORBIDDEN", 403, "This needs a proof of age where you are."),
  /** The age proof was refused; `reason` is an AgeOutcome. */
  AGE_PROOF_REFUSED: define("BAD_REQUEST", 400, "This proof of age was refused."),
  /**
   * A network, or the whole site, asks for more than usual: the request needs a solved challenge (POST /api/notice-challenge) that is `limit`
   * steps harder, as JSON in the header `x-work`, or in the field `proof` of a request for a link.
   */
  WORK_NEEDED: define("PRECONDITION_FAILED", 428, "We're swamped. Solve a challenge and send the request again."),
  /** A visitor's call on a brand that has not opened yet; who belongs to its team gets the login link nevertheless. */
  NOT_OPEN: define("FORBIDDEN", 403, "We're not open yet. If you're on the team, you get a link by mail."),
  /** Registration is closed in this place. */
  CLOSED_HERE: define("FORBIDDEN", 451, "You can't join from where you are for now."),
  /** Does not exist, or is invisible to this member. The response never reveals which. */
  NOT_FOUND: define("NOT_FOUND", 404, "Not found."),
  /** The email address belongs to another account, or another tab saved a newer edit. */
  CONFLICT: define("CONFLICT", 409, "This changed meanwhile."),
  /** The page acts for one account but the session belongs to another. No other error has this status. */
  OTHER_ACCOUNT: define("PRECONDITION_FAILED", 412, "Someone else is logged in here now."),
  TOO_LARGE: define("PAYLOAD_TOO_LARGE", 413, "The file is too large."),
  WRONG_TYPE: define("UNSUPPORTED_MEDIA_TYPE", 415, "This kind of file isn't supported."),
  /** The Host header matches no brand. */
  UNKNOWN_HOST: define("MISDIRECTED", 421, "This address isn't served here."),
  /** A rate limit or quota is reached; the response has a Retry-After header. */
  TOO_MANY_REQUESTS: define("TOO_MANY_REQUESTS", 429, "Too many tries. Please wait a little."),
  /** A dependency does not respond, or its monthly quota is used up; the same call may succeed later. */
  UNAVAILABLE: define("SERVICE_UNAVAILABLE", 503, "This doesn't work right now. Please try again later."),
  /** The site is being restored, and keeps everybody out meanwhile. */
  MAINTENANCE: define(
    "SERVICE_UNAVAILABLE",
    503,
    "We're bringing the site back from a backup. What you wrote waits on your device.",
  ),
  /** A bug or failure on our side, never bad input. */
  INTERNAL: define("INTERNAL_SERVER_ERROR", 500, "Something went wrong on our side."),
};

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
