/**
 * Lists the fields that each reading procedure may return about other members. `own` responses contain only the
 * caller's data and `nobody` responses no member's; neither may contain another member's id or name. fields.test.ts
 * fails for a procedure that is missing here.
 */
const BRIEF =
  "profileId session profileName profileAge profileChars profileWeight profileHeight profilePicIds lat lon tsUpdated";
const MESSAGE =
  "id senderProfileId recipientProfileId clientId bodyText profilePicIds attachment replyToId reaction tsCreated tsDelivered tsRecipientRead tsRecipientDeleted tsSenderDeleted";
const PARTNER = "profileId profileName picId online";
const LIKE = "likerProfileId likedProfileId likeType blocked tsCreated";
const PLAYER = "profileId name pictureId carrier tags caught";
const PICTURE = "id profileId audience width height placeholder nsfw covered version";
const ALBUM = "profileId received receivedTsExpires asked given givenTsExpires hasPictures";
const PROFILE =
  "id profilename birthdate age height weight description characteristics profilePicIds profilePicIdsPrivate voice roles tsUpdated";

const words = (text: string) => text.split(" ");
const within = (path: string, keys: string) => [path, ...words(keys).map((key) => `${path}.${key}`)];
/** A page of items with these keys, with its cursor. */
const list = (keys: string) => ["items", ...words(keys).map((key) => `items[].${key}`), "nextCursor"];
const conversation = [
  "items",
  "items[].unread",
  "nextCursor",
  ...within("items[].other", PARTNER),
  ...within("items[].message", MESSAGE),
];

export const ALLOWED_FIELDS: Record<string, readonly string[] | "own" | "nobody"> = {
  "age.status": "own",
  "age.progress": "own",
  "profiles.get": [...words(PROFILE), ...within("voice", "id audience durationMs peaks")],
  "profiles.relation": [
    ...words("profileId likeType likesYou match metBy online tsSeen distanceMeters lat lon"),
    // Each only for the audience that the member chose.
    ...within("health", "hivStatus prep doxyPep vaccines lastTestMonth"),
  ],
  "positions.nearest": list(`${BRIEF} distanceMeters`),
  "positions.byBounds": list(`${BRIEF} distanceMeters`),
  "positions.bySector": list(`${BRIEF} distanceMeters`),
  "positions.byIds": list(`${BRIEF} distanceMeters`),
  "positions.changedSince": words("mark changed"),
  "positions.distances": list("profileId distanceMeters"),
  "positions.newAmong": list("profileId"),
  "met.own": "own",
  "met.state": words("said canSay"),
  "personCheck.mine": "own",
  "personCheck.among": list("profileId month"),
  "personCheck.draw": list("itemId pose pose.fingers pose.hand pose.turn pose.number"),
  "tonight.mine": "own",
  "tonight.among": list("profileId wishes tsUntil"),
  "travel.coming": [...list("profileId profileName profileAge profilePicId from to"), "closed"],
  "likes.byLiker": list(LIKE),
  "likes.byLiked": list(LIKE),
  "likes.among": list(LIKE),
  "likes.get": words(LIKE),
  "likes.put": words(LIKE),
  "likes.briefs": list(`${BRIEF} tsLiked profilePicId match`),
  "pictureLikes.byLiker": list("likerProfileId profilePicId profilePicProfileId likeType tsCreated"),
  "pictureLikes.byLiked": list("likerProfileId profilePicId profilePicProfileId likeType tsCreated"),
  "pictureLikes.about": list("likerProfileId profilePicId profilePicProfileId likeType tsCreated"),
  "pictures.list": list(PICTURE),
  "pictures.previews": list("pictureId preview"),
  "albums.status": words(ALBUM),
  "albums.request": words(ALBUM),
  "albums.given": list("ownerProfileId memberProfileId state tsExpires tsCreated profileName profilePicId"),
  "albums.received": list("ownerProfileId memberProfileId state tsExpires tsCreated profileName profilePicId"),
  "blocks.list": list("profileId profileName tsCreated"),
  "notes.get": words("authorProfileId aboutProfileId bodyText privateTags"),
  "notes.list": [
    ...list("authorProfileId aboutProfileId bodyText privateTags tsUpdated"),
    ...within("items[].about", "profileName profileAge profilePicIds"),
  ],
  "messages.mostRecentWith": list(MESSAGE),
  "messages.between": list(MESSAGE),
  "messages.missed": list(MESSAGE),
  "messages.history": [...list(MESSAGE), ...within("other", PARTNER)],
  "messages.conversations": conversation,
  "messages.search": conversation,
  "messages.area": list(`${MESSAGE} senderProfileName senderPicId`),
  "messages.bySector": list(`${MESSAGE} senderProfileName senderPicId`),
  "notifications.list": list("id kind bodyText url aboutProfileId tsCreated"),
  "exposure.partners": list("profileId profileName pictureId"),
  "games.cooties": [
    ...words("playing carrier positioned tsCaught tags caught"),
    "near",
    ...words(PLAYER).map((key) => `near[].${key}`),
    "leaders",
    ...words(PLAYER).map((key) => `leaders[].${key}`),
  ],
  "games.hotDraw": list("pictureId profileId nsfw"),
  "games.identifyStart": [
    "round",
    "options",
    ...words("profileId name age pictureId").map((key) => `options[].${key}`),
  ],
  // Pictures and texts without their owner.
  "games.ratingDraw": list("itemId nsfw"),
  "games.busterDraw": list("itemId text"),
  "games.cropTasks": list("pictureId width height nsfw"),

  "games.cropSuggestions": "own",
  "games.markedPictures": "own",
  "games.reviews": list("itemId game why pictureId text tsWaiting"),
  "games.record": "own",
  "games.credits": "own",
  "accounts.session": "own",
  "moderation.ownRecord": "own",
  "reports.mine": "own",
  "arbitration.inbox": "own",
  "health.mine": "own",
  "notes.tags": "own",
  "messages.preferences": "own",
  "notifications.preferences": "own",
  "push.list": "own",
  "pictures.mine": "own",
  "positions.mine": "own",
  "positions.places": "own",
  "profiles.mine": "own",
  "lockdown.list": "own",
  "passkeys.list": "own",
  "passkeys.loginRequest": "nobody",
  "proofs.passkeyRequest": "own",
  "proofs.methods": "own",
  "sessions.list": "own",
  "sessions.disclosures": list("id kind profileId profileName brand tsCreated"),
  "settings.get": "own",
  "travel.whereabouts": "own",
  "travel.trips": "own",
  "transparency.case": "own",

  "notices.mine": "own",
  "transparency.notices": "nobody",
  "transparency.summary": "nobody",
  "transparency.chain": "nobody",
  "arbitration.precedents": "nobody",
  "positions.aggregates": "nobody",
  "meta.ping": "nobody",
  "meta.version": "nobody",
  "push.key": "nobody",
  "meets.place": "nobody",
};
