/**
 * The account that a page believes it acts for. Optional: a call without it is anybody's who has the session. A call with another
 * account than the session's is refused, since in another tab somebody else logged in.
 */
export const ACCOUNT_HEADER = "x-account";
