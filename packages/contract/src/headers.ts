/**
 * Names the account that the page acts for. Optional; if it differs from the session's account, the call is refused, because somebody
 * else has logged in in another tab.
 */
export const ACCOUNT_HEADER = "x-account";
