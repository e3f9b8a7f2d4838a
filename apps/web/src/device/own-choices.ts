/**
 * What a device may keep when a session ends by itself, and in the clear under an app lock: how the site looks here, that a login mail is
 * awaited, what area an invitation named, and the lock and the disguise themselves. Nothing of a member.
 */
export const OWN_CHOICES =
  "theme locale units show_nsfw banner_hidden login_ticket invited_area lock disguise notes".split(" ");
