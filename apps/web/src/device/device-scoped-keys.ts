/**
 * Local storage keys that belong to the device rather than to a member: display settings, how wrong the clock is, a pending login mail, an invitation's area,
 * the app lock and the disguise. They survive the end of a session and stay unencrypted under an app lock.
 */
export const DEVICE_SCOPED_KEYS =
  "theme locale units clock show_nsfw banner_hidden login_ticket invited_area lock disguise".split(" ");
