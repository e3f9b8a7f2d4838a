/** Every number of the product, unit in the name. No zod here, so that the web can import it at no cost. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// ---- members
/** The site is for adults: the law of every place it serves. */
export const AGE_MIN_YEARS = 18;
/** Above this a birthdate is a typing error. */
export const AGE_MAX_YEARS = 120;
/** Names are shown cut to this many characters. */
export const PROFILE_NAME_SHOWN_CHARS = 12;
/** What can be stored: room for any script, short enough for a tile's second line. */
export const PROFILE_NAME_MAX_CHARS = 60;
/** Height and weight are free text ("6'1\"", "82 kg"). */
export const MEASURE_MAX_CHARS = 40;
/** Messages, notes and descriptions. */
export const TEXT_MAX_CHARS = 4000;
export const PRIVATE_TAG_MAX_CHARS = 60;
export const PRIVATE_TAGS_MAX = 50;

// ---- accounts
/** Longest address that SMTP carries (RFC 5321, path limit 256 less the brackets). */
export const EMAIL_MAX_CHARS = 254;
export const REAL_NAME_MAX_CHARS = 120;
export const PASSWORD_MIN_CHARS = 10;
/** scrypt hashes any length; this bounds the work a request can ask for. */
export const PASSWORD_MAX_CHARS = 256;
export const LOGIN_CODE_TTL_MS = 10 * MINUTE_MS;
/** The six digits of a mail: then they are dead, and the link beside them lives on. */
export const LOGIN_DIGITS_TRIES_MAX = 5;
/** Tries of digits for one mailbox a day by devices that never logged in to it: one chance in 100,000 for who keeps asking. */
export const LOGIN_DIGITS_PER_MAILBOX_MAX = 10;
/** Tries of digits from one network a day, over all mailboxes; whoever meets it has the link. */
export const LOGIN_DIGITS_PER_IP_MAX = 200;
/** Of one IPv6 site together. */
export const LOGIN_DIGITS_PER_SITE_MAX = 400;
/** Remembered sessions; a session without "remember me" is a browser-session cookie and ends after a day without use. */
export const SESSION_REMEMBERED_MS = 180 * DAY_MS;
export const SESSION_SHORT_MS = DAY_MS;
/** `ts_last_used` is written at most this often, to keep reads free of writes. */
export const SESSION_TOUCH_MS = 15 * MINUTE_MS;
export const ACCOUNT_GRACE_MS = 28 * DAY_MS;
/** Passkeys of one account: a few devices on each site. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX_CHARS = 60;
export const PASSKEYS_ADDED_PER_DAY_MAX = 30;
/** How long a challenge waits for its signature; a login page that stays open asks for another in time. */
export const PASSKEY_CHALLENGE_TTL_MS = 10 * MINUTE_MS;
/** When the login page begins to offer passkeys in its fields: after all that its first screen asks for. */
export const PASSKEYS_OFFERED_AFTER_MS = 2 * SECOND_MS;
/** A login, or a proof asked for later, counts for this long: enough to choose a password unhurried, too short for a phone that is found. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;
/** A ZIP reads every row and picture of a member: enough to replace a lost download, too few to load the server with. */
export const EXPORTS_PER_DAY_MAX = 5;
/** Rows that an export or a purge reads at a time, so that memory and statement time stay bounded. */
export const BULK_CHUNK_ROWS = 500;
/** Accounts purged a minute: 860,000 a month. */
export const PURGES_AT_ONCE = 20;
/** Wrong passwords for one address from one network, and from one device that logged in to it before: enough for somebody who forgot theirs. */
export const LOGIN_FAILURES_MAX = 10;
/** For all unknown devices together: 2,880 tries a day against a password of ten characters. No single stranger can use it up. */
export const LOGIN_FAILURES_PER_ADDRESS_MAX = 30;
export const LOGIN_FAILURES_WINDOW_MS = 15 * MINUTE_MS;
/** Login attempts from one network address, over all accounts. */
export const LOGIN_ATTEMPTS_PER_IP_MAX = 60;
/** For the 65,536 networks of one IPv6 site together: enough for an office, too few for one attacker who owns them all. */
export const LOGIN_ATTEMPTS_PER_SITE_MAX = 240;
/** Login links that one network may have sent to one mailbox an hour: one, and another if the first does not arrive. */
export const LOGIN_LINKS_PER_EMAIL_MAX = 2;
/** For all unknown devices together. With those for known devices strangers can cause five mails an hour to a mailbox. */
export const LOGIN_LINKS_PER_MAILBOX_MAX = 3;
/** Reserved for devices that logged in to the account before, so that strangers who use up the others lock nobody out. */
export const LOGIN_LINKS_PER_KNOWN_DEVICE_MAX = 2;
export const LOGIN_LINKS_PER_IP_MAX = 30;
/** For one IPv6 site together. */
export const LOGIN_LINKS_PER_SITE_MAX = 60;
/** A device is known for as long as browsers keep a cookie. */
export const DEVICE_KNOWN_MS = 400 * DAY_MS;
export const LOGIN_LINKS_WINDOW_MS = HOUR_MS;
/** For so long a ban holds against the same address, device and pictures. */
export const BAN_HOLDS_MS = 365 * DAY_MS;
/** Messages and broadcasts that a member may send a minute, counted together. */
export const MESSAGES_PER_MINUTE_MAX = 60;
export const UPLOADS_PER_HOUR_MAX = 60;
export const CONTACT_MESSAGES_PER_HOUR_MAX = 5;
/** For all visitors from one IPv6 site together. */
export const CONTACT_MESSAGES_PER_SITE_MAX = 20;

// ---- pictures
export const PICTURE_MAX_BYTES = 8_192_000;
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
/** Longest side of the stored, re-encoded original. */
export const PICTURE_ORIGINAL_MAX_PX = 4096;
/** A decoded side above this is refused before decoding: decompression bombs. */
export const PICTURE_DECODED_MAX_PX = 12_000;
/** Decoded pixels above this are refused before decoding (50 megapixels is the largest common phone camera). */
export const PICTURE_DECODED_MAX_PIXELS = 50_000_000;
export const PICTURE_WIDTHS_PX = [256, 512, 1024, 2048] as const;
/** Members of whom a country's share of explicit pictures is told: of fewer it could be somebody's. */
export const EXPLICIT_SHARE_OWNERS_MIN = 10;
/** The size at which pictures are compared with known ones: lists are made of this size or larger. */
export const PICTURE_HASHED_PX = 512;
export const PICTURE_CROP_ASPECT = 0.8;
/** Width of the pixelated version of a NSFW picture: shapes and colours, but nobody can be recognised. */
export const PICTURE_PIXELATED_PX = 14;
/** Width of what stands blurred in a tile until its picture is there: some hundred bytes, and less to be seen than in the pixelated version. */
export const PICTURE_PREVIEW_PX = 8;
/** A full album is one page, and a page reads at most 60 rows: one for each picture and a few for the viewer. */
export const PICTURES_PER_PROFILE_MAX = 50;
/** Members on one page of the list of who may see the private album: two rows each. */
export const ALBUM_GRANTS_PAGE_SIZE = 25;
/** Requests for one album by one member in a day, so that a refusal ends it. */
export const ALBUM_REQUESTS_PER_DAY_MAX = 2;
export const CHAT_AVATAR_PX = 150;
export const PROFILE_THUMBNAIL_PX = 80;
export const UPLOAD_PREVIEW_PX = 100;
export const UPLOAD_DONE_SHOWN_MS = 2 * SECOND_MS;

// ---- position
export const GPS_MAX_AGE_MS = 15 * SECOND_MS;
export const GPS_TIMEOUT_MS = 10 * SECOND_MS;
/** A GPS error is shown when the last fix is older than this. */
export const GPS_FIX_STALE_MS = 2 * MINUTE_MS;
export const POSITION_THROTTLE_MS = 5 * SECOND_MS;
/** Without passing the threshold a position is accepted again only after this. */
export const POSITION_REFRESH_MS = 300 * SECOND_MS;
export const POSITION_SAVE_DEBOUNCE_MS = SECOND_MS;
export const POSITION_EFFECTIVE_MS = 93_600_000;
/** A moved member is published at most once in this time, except after a drag. */
export const POSITION_PUBLISH_MIN_MS = 15 * MINUTE_MS;
/** Times that others see are rounded to this. */
export const SEEN_ROUNDING_MS = 15 * MINUTE_MS;
/** A member counts as online when seen within this. */
export const ONLINE_WITHIN_MS = 30 * MINUTE_MS;
/** Random positions are scattered this far around the brand's first city. */
export const POSITION_JITTER_DEGREES = 0.05;

// ---- map
export const MAP_INITIAL_ZOOM = 13;
export const MAP_FLY_ZOOM = 18;
export const SECTORS_MAX = 20;
export const MARKERS_MAX = 800;
export const SECTOR_REFETCH_MS = 15 * SECOND_MS;
export const SECTOR_PAGE_SIZE = 1500;
/** Squares of the map that one page watches by socket; a view of more is asked for at the interval. */
export const SQUARES_WATCHED_MAX = 4;
/** Changes of one interval that are told one by one. */
export const SQUARE_CHANGES_MAX = 112;
export const BOUNDS_PAGE_SIZE = 500;
export const MAP_VIEW_SAVE_MS = SECOND_MS;
export const MARKER_MIN_PX = 16;
export const MARKER_MAX_PX = 128;
export const AGGREGATES_CACHE_MS = 120_000;
/** Aggregates are grouped when there are more cells than this. */
export const AGGREGATE_CELLS_MAX = 10;
/** Fewer members than this are never counted by themselves. */
export const AGGREGATE_COUNT_MIN = 3;

// ---- requests
/** For any request but an upload: far above the longest text, so that the error can name the field, and far below an isolate's memory. */
export const REQUEST_MAX_BYTES = 12_582_912;
/** Calls in one tRPC batch: more than any screen starts with, too few to turn one request of the flood limit into a thousand. */
export const BATCH_CALLS_MAX = 30;

// ---- lists
export const LIKES_PAGE_SIZE = 20;
export const LIKED_PICS_PAGE_SIZE = 30;
export const TILES_PAGE_SIZE = 30;
export const SEARCH_PAGE_SIZE = 10;
export const SWYPE_PAGE_SIZE = 1;
export const CONVERSATIONS_PAGE_SIZE = 20;
export const MESSAGES_PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 1500;
export const NOTES_PAGE_SIZE = 20;
export const BLOCKS_PAGE_SIZE = 25;
/** Tags offered as filters on the notes page. */
export const PRIVATE_TAGS_LISTED_MAX = 100;
/** Members that one call may ask about: two rows each and three for the session stay within sixty. */
export const MEMBERS_ASKED_MAX = 28;
/** Likes of members, and as many of pictures, that a member may give or take back a minute: faster than any thumb, useless for liking a whole city. */
export const LIKES_PER_MINUTE_MAX = 120;
export const LIKES_WINDOW_MS = MINUTE_MS;
/** A search among likes looks at the newest of each kind; it reads up to three rows for each. */
export const LIKES_SEARCHED_MAX = 1000;
export const TILES_REFETCH_MS = 120_000;
export const SWYPE_REFETCH_MS = 3_600_000;
export const SEARCH_REFETCH_MS = 300_000;
export const CONVERSATIONS_REFETCH_MS = 180 * SECOND_MS;
/** How long a session's object keeps that a picture is open to it. Who revokes it, or is revoked, ends that at once. */
export const PICTURE_RIGHT_MS = 120 * SECOND_MS;
/** While a socket is ready it tells the news, and what is asked at an interval is asked so seldom: it might have lost a word. */
export const LIVE_REFETCH_MS = 300 * SECOND_MS;
export const CHAT_POLL_MS = 15 * SECOND_MS;
export const BROADCAST_REFETCH_MS = 15 * SECOND_MS;
export const ROLE_COUNTS_REFETCH_MS = 5 * SECOND_MS;

// ---- chat
/** Pictures in one message. */
export const MESSAGE_PICTURES_MAX = 10;
export const VOICE_MAX_MS = 30_000;
/** Recorders stop late, and containers round up. */
export const VOICE_SLACK_MS = 2000;
/** 30 seconds at 256 kilobits a second, the most that any recorder writes by itself. */
export const VOICE_MAX_BYTES = 1_000_000;
/** Values of its loudness that are drawn. */
export const VOICE_PEAKS_MAX = 64;
/** What opens once and was not opened goes after this. */
export const ONCE_KEPT_MS = 14 * DAY_MS;
/** One that was uploaded and not sent goes after this. */
export const ONCE_UNSENT_MS = DAY_MS;
/** A download that broke off may be repeated by the device that opened it, for so long. */
export const ONCE_REPEAT_MS = MINUTE_MS;
/** A reader who does not close what they opened has so long to report it; then its bytes go. */
export const ONCE_REPORTABLE_MS = 5 * MINUTE_MS;
/** Slow mode of the map chat: one message in this time, so that one member cannot drown an area. */
export const BROADCAST_SLOW_MODE_MS = 10 * SECOND_MS;
/** Messages to a member who never answered: enough for a greeting with a picture and a second try, too few to harass. */
export const UNANSWERED_MESSAGES_MAX = 5;
/** Members who declined somebody's unasked pictures, before that sender has to wait for an answer in words first ... */
export const PICTURE_DECLINES_MAX = 3;
/** ... for as long as their declining counts. */
export const PICTURE_DECLINE_MS = 30 * DAY_MS;
/** The same opening text to more members than this an hour carries a mark ... */
export const OPENINGS_MARKED_ABOVE = 3;
/** ... and to more than this has to wait. */
export const OPENINGS_PER_HOUR_MAX = 10;
export const OPENINGS_WINDOW_MS = HOUR_MS;
/** Shorter openings, in letters, are all the same one: "hey" and "hi" leave nothing to compare, nor does a picture alone. */
export const OPENING_MIN_LETTERS = 8;
/** Letters of an opening that are compared. */
export const OPENING_COMPARED_LETTERS = 200;
/** Openings that share this part of their pairs of letters are the same; one changed letter in ten leaves 0.64. */
export const OPENINGS_ALIKE_ABOVE = 0.6;
/** Shorter openings, in letters, are plain greetings, which may go to many; a longer one goes to one member alone ... */
export const OPENING_OWN_MIN_LETTERS = 16;
/** ... for as long as its sketch is kept, or until so many others came after it. */
export const OPENINGS_KEPT_MS = 30 * DAY_MS;
export const OPENINGS_KEPT_MAX = 300;
/** Addresses whose owners a member never wants to meet, and how many of them may be added in a day. */
export const KEPT_AWAY_ADDRESSES_MAX = 50;
export const KEPT_AWAY_PER_DAY_MAX = 60;
/** Words that a member does not want to read in a first message. */
export const UNWANTED_WORDS_MAX = 48;
export const UNWANTED_WORD_MAX_CHARS = 40;
/** Wider is the same as no limit. */
export const FIRST_CONTACT_DISTANCE_MAX_METERS = 1_000_000;
export const PHRASES_MAX = 20;
export const PHRASE_MAX_CHARS = 300;
/** Messages one search looks at; the answer's cursor goes on from there. */
export const SEARCH_SCAN_MAX = 500;
/** "is typing" is sent at most this often, and forgotten after twice as long. */
export const TYPING_EVERY_MS = 3 * SECOND_MS;
/** A push that waited longer than this is out of date and not sent. */
export const PUSH_MAX_AGE_MS = DAY_MS;
export const PUSH_SUBSCRIPTIONS_MAX = 20;
/** Two rows each: the notification, and the member it is about. */
export const NOTIFICATIONS_PAGE_SIZE = 25;
/** Badges count no further, since every page of the application asks for them. */
export const NOTIFICATIONS_COUNTED_MAX = 15;
export const UNREAD_CONVERSATIONS_COUNTED_MAX = 20;
/** Older notifications are deleted by the schedule. */
export const NOTIFICATION_KEPT_MS = 90 * DAY_MS;
/** A like that was not returned is forgotten after this, when its giver has not been here for as long. */
export const LIKE_FORGOTTEN_MS = 365 * DAY_MS;
/** First pause before a lost socket is opened again; doubled each time up to the longest. */
export const SOCKET_RETRY_MIN_MS = 500;
export const SOCKET_RETRY_MAX_MS = 30 * SECOND_MS;
export const SOCKET_PING_MS = 25 * SECOND_MS;

// ---- caches
export const PROFILE_CACHE_MS = HOUR_MS;
export const NOTE_CACHE_MS = HOUR_MS;
export const QUERY_CACHE_MS = DAY_MS;

// ---- screen timings
export const NAVIGATION_CLOSE_MS = 8 * SECOND_MS;
export const TOOLBAR_LABELS_MS = 8 * SECOND_MS;
export const PROFILE_SAVED_SHOWN_MS = SECOND_MS;
export const SETTINGS_SAVED_SHOWN_MS = 3 * SECOND_MS;
export const BLOCKED_REDIRECT_MS = 3 * SECOND_MS;
export const LOGIN_REDIRECT_MS = 250;
/** How long the first page waits to be drawn whole. Once a frame without its content shows, it stays for at least 300 ms. */
export const FIRST_DRAW_WAIT_MS = 500;
export const SERVER_TROUBLE_SHOWN_MS = 10 * SECOND_MS;

// ---- admin
export const TEST_USERS_BUTTON_COUNT = 200;
/** One call makes at most this many, so that a typing error cannot fill the database. */
export const TEST_USERS_MAX = 1000;

/** The smallest stored width at or above `wanted` pixels, else the largest. */
export function pictureWidth(wanted: number): number {
  return PICTURE_WIDTHS_PX.find((width) => width >= wanted) ?? PICTURE_WIDTHS_PX[PICTURE_WIDTHS_PX.length - 1]!;
}

// ---- reports, juries and moderation
/** Reports a member may file a day: more than anyone needs, too few to flood the queue. */
export const REPORTS_PER_DAY_MAX = 20;
export const REPORT_EVIDENCE_MAX = 20;
/** Seats of a jury, equally many from each third of the pool by age of account: somebody who registers many accounts at once gets three at most. */
export const JURY_SEATS = 9;
export const JURY_AGE_GROUPS = 3;
/** Fewer votes than this decide nothing; staff do then. Of nine seats about six are used (bench courts). */
export const JURY_VOTES_MIN = 5;
/** Share of the votes that a verdict needs, either way; a jury that is less sure leaves the case to staff. */
export const JURY_AGREEMENT_MIN = 2 / 3;
/** Accounts younger than this are not drawn, so that registering to sit on a jury takes a long wait. */
export const JUROR_ACCOUNT_AGE_MS = 30 * DAY_MS;
/** Jurors are drawn from those seen within this. */
export const JUROR_SEEN_WITHIN_MS = 14 * DAY_MS;
/** Jurors have talked with this many others; an account that only waits to be drawn has not. */
export const JUROR_TALKS_MIN = 3;
/** Nobody who was warned or worse within this judges others. */
export const JUROR_CLEAN_MS = 180 * DAY_MS;
/** Nobody is summoned twice within this, whether they voted or not, so that a flood of cases does not leave a pool of those who always vote. */
export const JUROR_REST_MS = 7 * DAY_MS;
/** Accounts that joined on one brand in the same span count as having come the same way: one of them sits on a jury. */
export const JUROR_JOINING_MS = 7 * DAY_MS;
/** The hash of the network an account came from is dropped after this; an older account costs an attacker a year. */
export const JUROR_NETWORK_KEPT_MS = 365 * DAY_MS;
/** Cases go to staff when fewer members than this may serve: nine strangers to both sides could then not be drawn at random. */
export const JURY_POOL_MIN = 200;
/** Members of the pool younger than this are recent ... */
export const JUROR_RECENT_MS = 90 * DAY_MS;
/** ... and when they are more than this share of it, somebody may be filling it: cases go to staff. */
export const JURY_POOL_RECENT_MAX = 1 / 3;
/** When more than this share of the pool has met a side of the case, that side may have emptied it: the case goes to staff. */
export const JURY_POOL_CONTACT_MAX = 0.1;
/** The longest suspension that a jury imposes by itself; staff confirm a longer one, and every ban. */
export const JURY_ALONE_SUSPENSION_DAYS_MAX = 3;
/** From this many members who may serve on, a jury suspends for longer by itself: fifty accounts are half a percent of them ... */
export const JURY_ALONE_POOL_MIN = 10_000;
/** ... once this many recommendations of juries were decided by staff, ... */
export const JURY_ALONE_TESTED_MIN = 200;
/** ... who confirmed this share of them. */
export const JURY_ALONE_CONFIRMED_MIN = 0.98;
/** For this long after a decision in a member's favour, cases against them go to staff, so that nobody can try one jury after another. */
export const JURY_AFTER_CLEARED_MS = 30 * DAY_MS;
/** Reports by members with less credibility than this get no jury and wait behind the others; three rejected reports lower it to a fifth. */
export const REPORTER_CREDIBILITY_MIN = 0.25;
/** Time that jurors have to vote. */
export const JURY_ANSWER_MS = DAY_MS;
export const JURY_REASON_MIN_CHARS = 10;
export const APPEAL_TEXT_MIN_CHARS = 10;
/** Outcomes can be appealed for this long. */
export const APPEAL_WINDOW_MS = 30 * DAY_MS;
export const SUSPENSION_MAX_DAYS = 365;
export const QUEUE_PAGE_SIZE = 50;
export const AUDIT_PAGE_SIZE = 100;
/** How long a legal hold keeps its copies: 18 USC 2258A(h) asks for one year from a report to the CyberTipline. */
export const HOLD_MS = 365 * DAY_MS;
/** What an authority's request to preserve adds, as 18 USC 2703(f) has it: 90 days, and once more 90. */
export const HOLD_EXTENSION_MS = 90 * DAY_MS;
export const HOLD_EXTENSIONS_MAX = 2;
/** A request to open a hold that nobody agreed to lapses after this. */
export const HOLD_REQUEST_MS = 7 * DAY_MS;
/** How long the two who opened a hold may look. */
export const HOLD_OPEN_MS = DAY_MS;

/** Times in the public chain are full days: the hour could tell a reported member who reported them. */
export const AUDIT_TIME_STEP_MS = DAY_MS;
/** The cases of a day are committed to at its end and shown after this, when nearly all of them are decided. */
export const AUDIT_DAY_OPENED_AFTER_MS = 30 * DAY_MS;

// ---- games
export const GAME_PACK_SIZE = 10;
/** A vote sooner than this after the one before was cast without looking. */
export const GAME_VOTE_MIN_MS = 600;
/** Open items that a player gets a day: a few minutes of play, too few to go on drawing until a certain picture comes. */
export const GAME_OPEN_PER_DAY_MAX = 10;
/** The same in seven days, so that playing every day gives hardly more say than playing twice a week. */
export const GAME_OPEN_PER_WEEK_MAX = 24;
/** Items with a known answer among them: enough to judge a player after two days. */
export const GAME_KNOWN_PER_DAY_MAX = 6;
/** A player's votes count when the account is this old ... */
export const PROVEN_ACCOUNT_AGE_MS = 14 * DAY_MS;
/** ... and this many known items were answered ... */
export const PROVEN_KNOWN_MIN = 10;
/** ... with this share of right answers: chance comes to a quarter or a half, honest players to over four in five. */
export const PROVEN_ACCURACY_MIN = 0.7;
/** Below this many proven players who voted within the time below, votes decide nothing and staff do: a hundred accounts of one person are a quarter. */
export const CONSENSUS_VOTERS_MIN = 300;
export const CONSENSUS_VOTERS_WITHIN_MS = 30 * DAY_MS;
/** Counted votes that a consensus needs at least (bench picture-votes has the figures of this and of the next four) ... */
export const CONSENSUS_VOTES_MIN = 20;
/** ... the share of them on one side, ... */
export const CONSENSUS_SHARE = 0.8;
/** ... and the time from the first to the last, so that daily players do not decide before weekly ones have seen it. */
export const CONSENSUS_SPAN_MS = 7 * DAY_MS;
/** Votes of accounts that joined the same way, from one network or in one week, that count on one item. */
export const CONSENSUS_GROUP_VOTES_MAX = 2;
/** Staff decide what this many votes ... */
export const CONSENSUS_VOTES_DIVIDED = 40;
/** ... or this much time leave undecided. */
export const CONSENSUS_WAIT_MAX_MS = 21 * DAY_MS;
/** Where votes decide nothing, this many bring an item to staff. */
export const SUSPECTED_VOTES_MIN = 4;
/** A consensus of this share ... */
export const TEST_ITEM_SHARE = 0.95;
/** ... that stood for this long tests other players. */
export const TEST_ITEM_STANDING_MS = 14 * DAY_MS;
/** Items before staff on one page: two rows each. */
export const REVIEWS_PAGE_SIZE = 25;
/** An owner may ask once in this time for a review of a picture that was marked. */
export const REVIEW_REQUEST_EVERY_MS = 30 * DAY_MS;
/** A review goes to staff when fresh voters have not decided after this. */
export const REVIEW_WAIT_MAX_MS = 14 * DAY_MS;
/**
 * Credits a day at most, by what earns them. Work for the community pays; Identify and tag are play, which a program
 * or two accounts of one member can win all day long, and pay next to nothing.
 */
export const CREDITS_PER_DAY_MAX = { rating: 20, buster: 20, crop: 25, jury: 30, identify: 2, cooties: 3 } as const;
/** Games pay credits only to older accounts, since a new account costs nothing to make. */
export const CREDITS_ACCOUNT_AGE_MS = 14 * DAY_MS;
export const CREDITS_CROP_APPLIED = 5;
export const CREDITS_JURY_VOTE = 3;
export const IDENTIFY_SHOWN_MS = 3 * SECOND_MS;
/** An answer later than this counts as none. */
export const IDENTIFY_ANSWER_MS = MINUTE_MS;
export const GUESSED_TEXT_MIN_CHARS = 60;
/** Players this near (by published positions) can be tagged. */
export const COOTIES_REACH_KM = 80;
/** A player who was just caught cannot be tagged again for this long. */
export const COOTIES_IMMUNE_MS = 30 * MINUTE_MS;
export const LEADERBOARD_SIZE = 20;

// ---- health notices
export const EXPOSURE_RECIPIENTS_MAX = 10;
/** Recipients of a notice to all partners of a period. A longer list would not be one of chat partners any more. */
export const EXPOSURE_ALL_MAX = 50;
/** Notices that a member may send a day. */
export const EXPOSURE_PER_DAY_MAX = 2;
/** Contact is what happened within this, the longest span that a sender can choose. */
export const EXPOSURE_CONTACT_MS = 90 * DAY_MS;
/** Messages that each of two members wrote to the other before they are partners: "no thanks" and "please stop" are two. */
export const EXPOSURE_MESSAGES_EACH_MIN = 3;
/** Latest messages of two members that are looked at for it, so that a long conversation costs no more. */
export const EXPOSURE_MESSAGES_READ_MAX = 60;
/** Nobody gets a second notice sooner, whoever sends it: one is enough to take a test, more are harassment. */
export const EXPOSURE_PAUSE_MS = 30 * DAY_MS;
/** With fewer partners in the contact's time the recipient could tell who sent a notice; it waits for more ... */
export const EXPOSURE_PARTNERS_MIN = 3;
/** ... partners who joined this long ago, longer than any notice waits: accounts made for the purpose hide nobody ... */
export const EXPOSURE_PARTNER_AGE_MS = 30 * DAY_MS;
/** ... and is dropped unsent after this time. */
export const EXPOSURE_WAIT_MAX_MS = 14 * DAY_MS;
/** Delivery waits a random time in this range, drawn for each recipient. */
export const EXPOSURE_DELAY_MIN_MS = 4 * HOUR_MS;
export const EXPOSURE_DELAY_MAX_MS = 52 * HOUR_MS;

// ---- reading near the member
/** What a region's watermark knows of the primary database is never older: what it was not told it learns by then. */
export const WATERMARK_LEASE_MS = 10_000;

// ---- quotas: what one member may cost
// Counted by the member's RateLimiter object, exactly and all over the world, in windows that begin with the first act. What
// they add up to is computed in cost.ts, and pinned by its test.
/** An account is new for so long: it reads less, as it costs nothing to make another. */
export const NEW_ACCOUNT_MS = 3 * DAY_MS;
/** Messages and broadcasts a day, in bytes: some 2,000 short ones, or 80 of the longest. */
export const MESSAGE_BYTES_PER_DAY_MAX = 1_000_000;
/** What a message takes beside its text: the row, its seven index entries and both sides' conversation. */
export const MESSAGE_ROW_BYTES = 400;
/** All notes of a member together, at any time: 1,600 of 400 characters, or 190 of 1,000. */
export const NOTE_BYTES_TOTAL_MAX = 1_000_000;
/** What a note takes beside its text and tags: the row and two index entries. */
export const NOTE_ROW_BYTES = 200;
/** A longer one also takes up to a page of the database that it does not fill. */
export const NOTE_INLINE_BYTES = 900;
export const NOTE_PAGE_BYTES = 4096;
/** Notes are saved while they are typed. */
export const NOTE_SAVES_PER_MINUTE_MAX = 60;
export const NOTE_SAVES_PER_DAY_MAX = 2000;
/** Members liked or disliked a day, and as many pictures: an evening of swiping, and useless for judging a whole city. */
export const LIKES_PER_DAY_MAX = 1000;
/** A like, its two index entries, and the other's notification. */
export const LIKE_ROW_BYTES = 350;
/** Reports that change something: a drag each two seconds, and a day on the road at one cell each minute. */
export const POSITION_WRITES_PER_MINUTE_MAX = 30;
export const POSITION_WRITES_PER_DAY_MAX = 1500;
export const UPLOADS_PER_DAY_MAX = 100;
/** Bytes of pictures stored a day, with the widths made of them: an album filled on the first day. */
export const PICTURE_BYTES_PER_DAY_MAX = 60_000_000;
/** Everything stored for a member's pictures, at any time. */
export const PICTURE_BYTES_TOTAL_MAX = 500_000_000;
/** One stored original: a photograph of 4096 pixels takes 1 to 2 MB; what takes more is noise, and is made smaller. */
export const PICTURE_STORED_MAX_BYTES = 3_000_000;
/** Blocks, and albums opened or asked for, a day; each may tell the other. */
export const RELATIONS_PER_DAY_MAX = 300;
export const RELATION_ROW_BYTES = 350;
export const CONTACT_MESSAGES_PER_DAY_MAX = 6;
/** Calls of any kind that change something: those above, and votes, receipts and settings, which are small or replace what was there. */
export const CHANGES_PER_DAY_MAX = 4000;
export const CHANGE_ROW_BYTES = 120;
/** What a member's reports have copied a day, in bytes: one with everything in it at its longest, or a full day of ordinary ones. */
export const REPORT_BYTES_PER_DAY_MAX = 350_000;
/** Sessions begun for one account a day, and what one takes. */
export const SESSIONS_PER_DAY_MAX = 100;
export const SESSION_ROW_BYTES = 300;

/** Calls of a member a minute; each call of a batch counts, a picture's bytes count a quarter. A screen starts with some thirty. */
export const CALLS_PER_MINUTE_MAX = 1200;
export const CALLS_PER_MINUTE_NEW_MAX = 600;
export const PICTURE_CALL_WEIGHT = 0.25;
/** Different members whose profile, relation or albums a member opens a day. */
export const PROFILES_OPENED_PER_DAY_MAX = 2000;
export const PROFILES_OPENED_PER_DAY_NEW_MAX = 250;
/** Different members whom lists and the map show a member a day: asking for the same ones again costs nothing more. */
export const MEMBERS_SHOWN_PER_DAY_MAX = 20_000;
export const MEMBERS_SHOWN_PER_DAY_NEW_MAX = 5000;
/** Sockets one member may hold open at one object: phones, tabs, and the ones that a lost network left behind. */
export const SOCKETS_PER_MEMBER_MAX = 20;
/** Frames that one member may send a minute over all sockets: a receipt for each message at the busiest, and typing. */
export const SOCKET_FRAMES_PER_MINUTE_MAX = 120;
/** Opening a socket wakes an object and costs as much as this many calls. */
export const SOCKET_CALL_WEIGHT = 5;

// ---- notices from anybody (docs/decisions/2026-11-22-notices-without-an-account.md)
/** What the law gives for an intimate picture: US Take It Down Act, UK Crime and Policing Bill. */
export const NOTICE_DUE_MS = 2 * DAY_MS;
/** Staff are called when half of it is gone. */
export const NOTICE_ALARM_MS = DAY_MS;
/** A picture's owner may answer for this long after the decision; then what was removed is deleted. */
export const NOTICE_COUNTER_MS = 30 * DAY_MS;
/** Contact, signature and texts are erased this long after the decision, when neither side can ask for a look any more. */
export const NOTICE_CONTACT_KEPT_MS = 180 * DAY_MS;
/** A sender whose notice was found false has no picture hidden at once for this long. */
export const NOTICE_SENDER_DOUBTED_MS = 365 * DAY_MS;
export const NOTICE_LOCATION_MAX_CHARS = 2000;
export const NOTICE_CONTACT_MAX_CHARS = 200;
export const NOTICE_EXPLANATION_MIN_CHARS = 20;
/** Pictures that the addresses in one notice may name: a notice is about pictures of one person, not about a site. */
export const NOTICE_PICTURES_MAX = 10;
/** Side of what the browser sends of the picture itself: all that the hash needs. */
export const NOTICE_UPLOAD_PX = 512;
export const NOTICE_UPLOAD_MAX_BYTES = 700_000;
/** Undecided pictures that one sender, or all together, may have hidden at once: what is beyond waits for staff. */
export const NOTICE_HIDDEN_PER_SENDER_MAX = 20;
export const NOTICE_HIDDEN_MAX = 300;
export const NOTICES_PER_NETWORK_PER_DAY_MAX = 10;
export const NOTICES_PER_SITE_PER_DAY_MAX = 40;
/** Of all senders together, against floods out of many networks. */
export const NOTICES_PER_DAY_MAX = 3000;
export const NOTICE_MAILS_PER_NETWORK_MAX = 5;
export const NOTICE_MAILS_PER_MAILBOX_MAX = 10;
/** Work that a browser does for one notice: so many answers, each of so many leading zero bits. Several small ones take about the same time each. */
export const NOTICE_WORK_ANSWERS = 16;
export const NOTICE_WORK_BITS = 15;
/** When more challenges an hour are asked for than people need, each answer costs eight times as much. */
export const NOTICE_WORK_EXTRA_BITS = 3;
export const NOTICE_CHALLENGES_PER_HOUR_CALM = 300;
export const NOTICE_CHALLENGES_PER_NETWORK_MAX = 30;
export const NOTICE_CHALLENGE_TTL_MS = 2 * 3_600_000;

/** How long a request for a proof of age waits for its answer. */
export const AGE_REQUEST_TTL_MS = 8 * 60_000;
/** How long a visitor's proof waits for the account. */
export const AGE_TICKET_TTL_MS = 60 * 60_000;
/** Requests of one network in an hour; each lets one answer be verified. */
export const AGE_REQUESTS_PER_IP_MAX = 30;
export const AGE_REQUESTS_PER_SITE_MAX = 120;

/** How long a letter to the volunteers is kept after it was marked as done. */
export const CONTACT_MESSAGE_KEPT_MS = 180 * DAY_MS;

/** The longest lock-down, in hours: thirty days. Whoever lost the recovery words has to wait it out. */
export const LOCKDOWN_HOURS_MAX = 720;
/** Devices of one member that can begin a lock-down; one more replaces the oldest. */
export const LOCKDOWN_SIGNALS_MAX = 20;
/** How often a member prepares or changes theirs a day. */
export const LOCKDOWN_CHANGES_PER_DAY_MAX = 30;
/** Eight of 2048 words are 88 bits: nobody guesses them, even with the database at hand. */
export const RECOVERY_WORDS = 8;

/** Trips that a member has planned at once, and how often they are changed a day. */
export const TRIPS_MAX = 10;
export const TRIP_CHANGES_PER_DAY_MAX = 60;
export const TRIP_NAME_MAX_CHARS = 80;
/** How far ahead a trip may begin, and how long it may be. */
export const TRIP_AHEAD_DAYS = 366;
export const TRIP_LONGEST_DAYS = 183;
/** Members there hear of it so long before, and so far around it. */
export const TRIP_ANNOUNCED_DAYS = 30;
export const TRIP_REACH_METERS = 50_000;
/** A trip that is over is erased after this many days: it ends at another hour around the globe. */
export const TRIP_KEPT_DAYS = 2;
/** Members on their way who are shown at once. */
export const COMING_MAX = 24;

/** Without a position of the device, a stay ends so long after the network was last that of the country: a VPN must not end it. */
export const STAY_AWAY_MS = DAY_MS;
/** How long it waits to be told that a stay is over. */
export const STAY_LEFT_KEPT_MS = 30 * DAY_MS;
/** How often a member looks where they are, or chooses, a day. */
export const STAY_LOOKS_PER_DAY_MAX = 500;

// ---- safe-meet: a plan that a friend may open when its maker does not answer
/** The longest plan, its extensions included: the rest of a forgotten one is gone two days later. */
export const MEET_MAX_MS = DAY_MS;
/** The shortest that the server takes, for tests; screens offer an hour and more. */
export const MEET_MIN_MS = SECOND_MS;
/** He is asked this long before the time is up, or halfway there where less is left. */
export const MEET_ASK_MS = 10 * MINUTE_MS;
/** After the time is up he has this long to answer before the friend's page opens; both screens say so. */
export const MEET_GRACE_MS = 10 * MINUTE_MS;
export const MEET_GRACE_MAX_MS = 60 * MINUTE_MS;
/** An alarm and all that came with it is erased this long after it was raised. */
export const MEET_KEPT_MS = DAY_MS;
/** Wrong PINs in a row: one chance in 2,000 against four digits. After that nobody can call the alarm off. */
export const MEET_TRIES_MAX = 5;
export const MEET_PIN_MIN_DIGITS = 4;
export const MEET_PIN_MAX_DIGITS = 8;
/** PBKDF2-SHA-256 over a secret salt: a third of a second on a phone. */
export const MEET_PIN_ROUNDS = 300_000;
/** Every plan is filled up to this before it is encrypted, so that its length tells nothing. */
export const MEET_PLAN_BYTES = 6144;
export const MEET_POSITION_BYTES = 256;
/** What AES-GCM adds: 12 bytes of nonce before, 16 of tag behind. */
export const MEET_SEAL_BYTES = 28;
export const MEET_NAME_MAX_CHARS = 60;
export const MEET_PLACE_MAX_CHARS = 200;
export const MEET_NOTE_MAX_CHARS = 1000;
export const MEET_POSITION_EVERY_MS = 5 * MINUTE_MS;
/** The last hour's. */
export const MEET_POSITIONS_MAX = 12;
export const MEETS_PER_DAY_MAX = 10;
/** Reads of one link a minute; an open page takes three. */
export const MEET_READS_PER_MINUTE_MAX = 40;
/** Calls about plans from one network an hour: some sixty open pages, as a mobile network puts many phones behind one address. */
export const MEET_CALLS_PER_NETWORK_MAX = 12_000;
export const MEET_CALLS_PER_SITE_MAX = 48_000;
/** An open page asks this often. */
export const MEET_POLL_MS = 20 * SECOND_MS;
