/**
 * Local storage keys that belong to the device rather than to a member: display settings, how wrong the clock is, a pending login mail, an invitation's area,
 * the app lock and the disguise. They survive the end of a session and stay unencrypted under an app lock.
 */
const DEVICE_NAMES = "theme locale units clock show_nsfw banner_hidden login_ticket invited_area lock disguise".split(
  " ",
);

/** Of the link of a friend's plan, which belongs to no account: whoever keeps it waits for an alarm, as a visitor or after a logout too. */
const isFriendsLink = (name: string): boolean => name.startsWith("meet:");

/** Whether a name of local storage is a member's: encrypted, and cleared when the session ends. So is one that nothing else claims. */
export const isMembersName = (name: string): boolean => !DEVICE_NAMES.includes(name) && !isFriendsLink(name);

/** What a logout leaves. The disguise stays, because the installed icon stays too. */
export const survivesLogout = (name: string): boolean => name === "disguise" || isFriendsLink(name);
