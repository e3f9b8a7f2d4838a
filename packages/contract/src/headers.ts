/**
 * Names the account that the page acts for. Optional; if it differs from the session's account, the call is refused, because somebody
 * else has logged in in another tab.
 */
export const ACCOUNT_HEADER = "x-account";

/** The solution of a challenge, as JSON, with a call that failed with WORK_NEEDED. */
export const WORK_HEADER = "x-work";

/**
 * Holds a secret while the app lock of a device is open; without it a locked session opens nothing. The page sets it, because it must be
 * able to delete it without a network.
 */
export const UNLOCKED_COOKIE = "__Host-unlocked";

/** In place of `__Host-` in development builds on plain http, where WebKit keeps no cookie with that prefix. */
export const PLAIN_PREFIX = "plain_";

export const plainCookieName = (name: string): string => name.replace(/^__Host-/, PLAIN_PREFIX);
