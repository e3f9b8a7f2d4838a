/**
 * Procedures after which only their author may be less visible or see less: what regions cached about other members stays valid
 * (watermark-object.ts). Calls without a viewer are included if they concern nobody, such as a login, or name whom they concern.
 */
export const AFFECTS_AUTHOR_ONLY: ReadonlySet<string> = new Set([
  "accounts.login",
  "accounts.loginByDigits",
  "accounts.loginByToken",
  "accounts.logout",
  "accounts.register",
  "albums.grant",
  "albums.request",
  "albums.revoke",
  "albums.withdraw",
  "blocks.undo",
  "deletion.request",
  "games.busterVote",
  "games.cropSuggest",
  "games.identifyAnswer",
  "games.ratingVote",
  "health.update",
  "likes.put",
  "lockdown.prepare",
  "lockdown.removeSignal",
  "lockdown.removeWords",
  "lockdown.setWords",
  "lockdown.unlocked",
  "meets.addPosition",
  "meets.create",
  "messages.closeOnce",
  "messages.declinePictures",
  "messages.remove",
  "messages.send",
  "messages.updatePreferences",
  "met.say",
  "met.takeBack",
  "notifications.delete",
  "notifications.updatePreferences",
  "pictureLikes.put",
  "pictures.arrange",
  "pictures.delete",
  "pictures.update",
  "positions.forgetPlaces",
  "positions.report",
  "profiles.update",
  "push.subscribe",
  "push.unsubscribe",
  "sessions.end",
  "sessions.endAll",
  "sessions.setLock",
  "settings.confirmEmail",
  "settings.setDiscreet",
  "settings.setSharing",
  "settings.update",
  "personCheck.draw",
  "personCheck.start",
  "personCheck.submit",
  "personCheck.vote",
  "personCheck.withdraw",
  "tonight.end",
  "tonight.put",
  "travel.acknowledgeStayEnd",
  "travel.addTrip",
  "travel.choose",
  "travel.refreshStay",
  "travel.removeTrip",
  "travel.showTrip",
]);

/**
 * Procedures that write nothing of what a session's row holds (accounts/sessions/viewer.ts), so that a member who writes messages or judges
 * members does not have it read again at each call.
 */
export const KEEPS_SESSION: ReadonlySet<string> = new Set([
  "likes.put",
  "messages.delivered",
  "messages.react",
  "messages.read",
  "messages.send",
  "notes.put",
  "pictureLikes.put",
]);

/**
 * Procedures after which their author's brief may change or disappear on the map. Watchers of the map are notified of no others, which would
 * reveal when a member is active.
 */
export const CHANGES_BRIEF: ReadonlySet<string> = new Set([
  "deletion.request",
  "pictures.arrange",
  "pictures.delete",
  "pictures.update",
  "positions.report",
  "profiles.update",
  "sessions.endAll",
  "settings.confirmEmail",
  "settings.setDiscreet",
  "settings.setSharing",
  "settings.update",
  "travel.acknowledgeStayEnd",
  "travel.choose",
  "travel.refreshStay",
]);
