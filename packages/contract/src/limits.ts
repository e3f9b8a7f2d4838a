/** All limits and timings of the product, with the unit in the name. It does not use zod, so that the web can import it cheaply. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@lambda/geo/time";

export { DAY_MS, HOUR_MS, MINUTE_MS };

// ---- members
/** The site is for adults, as the law requires everywhere. */
export const AGE_MIN_YEARS = 18;
/** Above this a birthdate must be a typo. */
export const AGE_MAX_YEARS = 120;
/** Displayed names are truncated to this length. */
export const PROFILE_NAME_SHOWN_CHARS = 12;
/** Stored length: room for any script, short enough for a tile's second line. */
export const PROFILE_NAME_MAX_CHARS = 60;
/** Height and weight are free text ("6'1\"", "82 kg"). */
export const MEASURE_MAX_CHARS = 40;
/** Messages, notes and descriptions. */
export const TEXT_MAX_CHARS = 4000;
export const PRIVATE_TAG_MAX_CHARS = 60;
export const NOTE_SEARCH_MAX_CHARS = 200;
/** The name of a device that receives pushes. */
export const DEVICE_NAME_MAX_CHARS = 60;
export const PRIVATE_TAGS_MAX = 50;

// ---- accounts
/** A short field as it is sent, before what surrounds its content is removed. */
export const TYPED_MAX_CHARS = 1000;
/** The longest address in SMTP (RFC 5321: path limit 256 minus the brackets). */
export const EMAIL_MAX_CHARS = 254;
export const REAL_NAME_MAX_CHARS = 120;
export const PASSWORD_MIN_CHARS = 10;
/** scrypt hashes any length; this bounds the work per request. */
export const PASSWORD_MAX_CHARS = 256;
export const LOGIN_CODE_TTL_MS = 10 * MINUTE_MS;
/** Tries of the six digits in a mail. After that they are invalid, while the link in the same mail still works. */
export const LOGIN_DIGITS_TRIES_MAX = 5;
/** Tries of digits per mailbox and day by the unknown devices of one network (IPv6: one site). */
export const LOGIN_DIGITS_PER_MAILBOX_MAX = 10;
/** For all networks together: whoever has many has a daily chance of 3 in 100,000, and no two networks can use it up. */
export const LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX = 30;
/** Tries of digits per IP address and day, over all mailboxes. Beyond that, the link in the mail still works. */
export const LOGIN_DIGITS_PER_IP_MAX = 200;
/** The same for a whole IPv6 site. */
export const LOGIN_DIGITS_PER_SITE_MAX = 400;
/** Sessions with "remember me"; others use a browser-session cookie and end after a day without use. */
export const SESSION_REMEMBERED_MS = 180 * DAY_MS;
export const SESSION_SHORT_MS = DAY_MS;
/** `ts_last_used` is updated at most this often, to avoid a write per request. */
export const SESSION_TOUCH_MS = 15 * MINUTE_MS;
export const ACCOUNT_DELETION_GRACE_MS = 28 * DAY_MS;
/** Passkeys per account: a few devices on each site. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX_CHARS = 60;
export const PASSKEYS_ADDED_PER_DAY_MAX = 30;
/** Validity of a challenge; a login page that stays open requests a new one in time. */
export const PASSKEY_CHALLENGE_TTL_MS = 10 * MINUTE_MS;
/** Delay before the login page offers passkeys in its fields, to let the first screen load first. */
export const PASSKEY_OFFER_DELAY_MS = 2 * SECOND_MS;
/** Validity of a fresh proof: enough to choose a password without hurry, too short for someone who finds the phone. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;
/** A ZIP reads every row and picture of a member. Enough to replace a lost download, too few to overload the server. */
export const EXPORTS_PER_DAY_MAX = 5;
/** Downloads begun in a day, whatever became of them: a line that breaks each of them keeps some tries. */
export const EXPORTS_BEGUN_PER_DAY_MAX = 30;
/** Rows that an export or purge reads at a time, to bound memory and statement time. */
export const BULK_CHUNK_ROWS = 500;
/** Accounts purged per minute: 860,000 a month. */
export const PURGE_BATCH_ACCOUNTS = 20;
/** Wrong passwords for one account per network, and per known device: enough for somebody who forgot theirs. */
export const LOGIN_FAILURES_MAX = 10;
/** For all unknown devices together: 2,880 tries a day against a password of ten characters. No single network can use it up. */
export const LOGIN_FAILURES_PER_ADDRESS_MAX = 30;
export const LOGIN_FAILURES_WINDOW_MS = 15 * MINUTE_MS;
/** Login attempts per IP address, over all accounts. */
export const LOGIN_ATTEMPTS_PER_IP_MAX = 60;
/** For all 65,536 networks of an IPv6 site together: enough for an office, too few for an attacker who owns them all. */
export const LOGIN_ATTEMPTS_PER_SITE_MAX = 240;
/** Login links per hour from one network to one mailbox: one, and another if the first does not arrive. */
export const LOGIN_LINKS_PER_EMAIL_MAX = 2;
/** For all unknown devices together. Including those for known devices, a mailbox gets at most five such mails an hour. */
export const LOGIN_LINKS_PER_MAILBOX_MAX = 3;
/** Reserved for known devices, so that strangers who use up the other links cannot lock the member out. */
export const LOGIN_LINKS_PER_KNOWN_DEVICE_MAX = 2;
export const LOGIN_LINKS_PER_IP_MAX = 30;
/** For one IPv6 site together. */
export const LOGIN_LINKS_PER_SITE_MAX = 60;
/** A device stays known for the maximum lifetime of a cookie in browsers. */
export const DEVICE_KNOWN_MS = 400 * DAY_MS;
export const LOGIN_LINKS_WINDOW_MS = HOUR_MS;
/** How long the email address, device and pictures of a banned member are recognized in new accounts. */
export const BAN_EVASION_WINDOW_MS = 365 * DAY_MS;
/** Messages and broadcasts per minute, counted together. */
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
/** Pictures with a longer side are refused before decoding, against decompression bombs. */
export const PICTURE_DECODED_MAX_PX = 12_000;
/** Pictures with more pixels are refused before decoding. 50 megapixels is the largest common phone camera. */
export const PICTURE_DECODED_MAX_PIXELS = 50_000_000;
export const PICTURE_WIDTHS_PX = [256, 512, 1024, 2048] as const;
/** A country's share of explicit pictures is only shown from this many owners on; with fewer it could identify someone. */
export const EXPLICIT_SHARE_OWNERS_MIN = 10;
/** Pictures are scaled to this size before they are hashed; lists of known pictures are made from this size or larger. */
export const PICTURE_HASHED_PX = 512;
/** Refused uploads of one member that wait for staff, each with a copy; more are refused without one. */
export const REFUSED_UPLOADS_WAITING_MAX = 5;
export const PICTURE_CROP_ASPECT = 0.8;
/** Width of the pixelated version of an NSFW picture: shapes and colors, but nobody is recognizable. */
export const PICTURE_PIXELATED_PX = 14;
/** Width of the blurred preview in a tile while its picture loads: a few hundred bytes, and less detail than the pixelated version. */
export const PICTURE_PREVIEW_PX = 8;
/** A full album fits one page, which may read at most 60 rows: one per picture and a few for the viewer. */
export const PICTURES_PER_PROFILE_MAX = 50;
/** Requests by one member for one album per day, so that a refusal is not followed by more requests. */
export const ALBUM_REQUESTS_PER_DAY_MAX = 2;
/** The longest time for which an album is opened, unless it is opened until revoked. */
export const ALBUM_GRANT_MAX_MS = 366 * DAY_MS;
export const CHAT_AVATAR_PX = 150;
export const UPLOAD_PREVIEW_PX = 100;
export const UPLOAD_DONE_SHOWN_MS = 2 * SECOND_MS;

// ---- position
export const GPS_MAX_AGE_MS = 15 * SECOND_MS;
export const GPS_TIMEOUT_MS = 10 * SECOND_MS;
/** A GPS error is shown when the last fix is older than this. */
export const GPS_FIX_STALE_MS = 2 * MINUTE_MS;
export const POSITION_THROTTLE_MS = 5 * SECOND_MS;
/** A position that has not moved past the threshold is only accepted again after this time. */
export const POSITION_REFRESH_MS = 300 * SECOND_MS;
export const POSITION_SAVE_DEBOUNCE_MS = SECOND_MS;
/** How long a reported position is effective: 26 hours. */
export const POSITION_EFFECTIVE_MS = 26 * HOUR_MS;
/** A moving member's position is published at most this often, except when they drag their marker. */
export const POSITION_PUBLISH_MIN_MS = 15 * MINUTE_MS;
/** Rounding of the times that other members see. */
export const SEEN_ROUNDING_MS = 15 * MINUTE_MS;
/** A member seen within this time counts as online. */
export const ONLINE_WITHIN_MS = 30 * MINUTE_MS;
/** How far random positions are scattered around the brand's first city. */
export const POSITION_JITTER_DEGREES = 0.05;

// ---- map
export const MAP_INITIAL_ZOOM = 13;
export const MAP_FLY_ZOOM = 18;
export const SECTORS_MAX = 20;
export const MARKERS_MAX = 800;
export const SECTOR_REFETCH_MS = 15 * SECOND_MS;
export const SECTOR_PAGE_SIZE = 1500;
/** Squares of the map that a page watches by socket; larger views are polled instead. */
export const SQUARES_WATCHED_MAX = 4;
/** With more listeners, a square tells all to reload at each interval instead of asking who may see which change. */
export const SQUARE_LISTENERS_MAX = 200;
/** Up to this many changed members per interval that a listener sees are listed in an event; with more, clients reload the square. */
export const SQUARE_CHANGES_MAX = 112;
export const BOUNDS_PAGE_SIZE = 500;
export const MAP_VIEW_SAVE_MS = SECOND_MS;
export const MARKER_MIN_PX = 16;
export const MARKER_MAX_PX = 128;
export const AGGREGATES_CACHE_MS = 2 * MINUTE_MS;
/** Aggregate cells are merged until there are at most this many. */
export const AGGREGATE_CELLS_MAX = 10;
/** Smaller counts are never shown on their own, for privacy. */
export const AGGREGATE_COUNT_MIN = 3;

// ---- requests
/** For requests other than uploads: far above the longest text, so that validation can name the field, and far below an isolate's memory. */
export const REQUEST_MAX_BYTES = 12_582_912;
/** Calls per tRPC batch: more than any screen makes at once, few enough that batches cannot defeat the request rate limit. */
export const BATCH_CALLS_MAX = 30;

// ---- lists
export const LIKES_PAGE_SIZE = 20;
export const LIKED_PICS_PAGE_SIZE = 30;
export const TILES_PAGE_SIZE = 30;
export const SEARCH_PAGE_SIZE = 10;
export const SWYPE_PAGE_SIZE = 1;
export const MESSAGES_PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 1500;
export const NOTES_PAGE_SIZE = 20;
/** For any other list whose items read two rows each: with a few for the viewer they stay within 60. */
export const LIST_PAGE_SIZE = 25;
/** Tags offered as filters on the notes page. */
export const PRIVATE_TAGS_LISTED_MAX = 100;
/** How long after registering a member counts as new, in whole days of UTC. */
export const NEW_MEMBER_DAYS = 7;
/** Profile ids per call: two rows each plus three for the session stay within 60 rows. */
export const PROFILE_IDS_PER_CALL_MAX = 28;
/** Likes of members per minute, given or withdrawn, and as many of pictures: faster than any thumb, but too slow to like a whole city. */
export const LIKES_PER_MINUTE_MAX = 120;
export const LIKES_WINDOW_MS = MINUTE_MS;
/** A search filtered by likes considers the newest of each kind, and reads up to three rows for each. */
export const LIKES_SEARCHED_MAX = 1000;
export const TILES_REFETCH_MS = 2 * MINUTE_MS;
export const SWYPE_REFETCH_MS = HOUR_MS;
export const SEARCH_REFETCH_MS = 5 * MINUTE_MS;
export const CONVERSATIONS_REFETCH_MS = 180 * SECOND_MS;
/** How long a session's Durable Object caches the right to see a picture. Revoking access clears it immediately. */
export const PICTURE_RIGHTS_CACHE_MS = 120 * SECOND_MS;
/** Polling interval while a socket delivers events: rarely, in case an event was lost. */
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
/** 30 seconds at 256 kbit/s, the highest default bit rate of any recorder. */
export const VOICE_MAX_BYTES = 1_000_000;
/** Loudness values in a drawn waveform. */
export const VOICE_PEAKS_MAX = 64;
/** An unopened picture or recording that opens once is deleted after this time. */
export const ONCE_RETENTION_MS = 14 * DAY_MS;
/** One that was uploaded but never sent is deleted after this time. */
export const ONCE_UNSENT_RETENTION_MS = DAY_MS;
/** How long a device tries to download it, while no other device of its reader may. */
export const ONCE_REPEAT_MS = MINUTE_MS;
/** Downloads that may break off before it counts as opened all the same, as a reader could break them off on purpose. */
export const ONCE_TRIES_MAX = 5;
/** How long a reader can report what they opened, unless they close it earlier; then its bytes are deleted. */
export const ONCE_REPORTABLE_MS = 5 * MINUTE_MS;
/** Slow mode of the map chat: one message per member in this time, so that nobody can flood an area. */
export const BROADCAST_SLOW_MODE_MS = 10 * SECOND_MS;
/** Messages to a member who never replied: enough for a greeting, a picture and a second try, too few to harass. */
export const UNANSWERED_MESSAGES_MAX = 5;
/** After this many members declined a sender's unsolicited pictures, the sender must get a reply before sending any ... */
export const PICTURE_DECLINES_MAX = 3;
/** ... for this long after the latest of these pictures was sent. */
export const PICTURE_DECLINE_WINDOW_MS = 30 * DAY_MS;
/** Younger accounts' declines do not count yet: three made for it must not take anything from anybody. */
export const DECLINER_ACCOUNT_AGE_MS = DAY_MS;
/** Everybody near reads the map chat, so declines there count only from accounts that were this old when the picture was posted. */
export const BROADCAST_DECLINER_AGE_MS = 14 * DAY_MS;
/** An opener sent to more members than this per hour is marked as such ... */
export const OPENINGS_MARKED_ABOVE = 3;
/** ... and beyond this number it has to wait. */
export const OPENINGS_PER_HOUR_MAX = 10;
export const OPENINGS_WINDOW_MS = HOUR_MS;
/** Openers with fewer letters count as identical, because "hey", "hi" or a picture alone leave nothing to compare. */
export const OPENING_MIN_LETTERS = 8;
/** Only the first letters of an opener are compared. */
export const OPENING_COMPARED_LETTERS = 200;
/** Openers whose letter pairs overlap by more than this share count as the same. Changing one letter in ten leaves 0.64. */
export const OPENING_SIMILARITY_ABOVE = 0.6;
/** Openers with fewer letters are plain greetings, which may go to many members; a longer one may go to only one ... */
export const OPENING_UNIQUE_MIN_LETTERS = 16;
/** ... as long as its sketch is kept, by age or by number of newer ones. */
export const OPENINGS_RETENTION_MS = 30 * DAY_MS;
export const OPENINGS_KEPT_MAX = 300;
/** Members of each kind (liked, written to, album opened) whom a discreet member's searchers are listed by; likes beyond are in lists only. */
export const SHOWN_TO_LISTED_MAX = 500;
/** Discreet members added to a search, whom it finds one by one. */
export const SHOWN_PER_SEARCH_MAX = 12;
/** How often a day a member may stop being discreet: turning it on lists the members above. */
export const DISCREET_ENDED_PER_DAY_MAX = 20;
/** Unwanted words per member. */
export const UNWANTED_WORDS_MAX = 48;
export const UNWANTED_WORD_MAX_CHARS = 40;
/** Larger distances have the same effect as no limit. */
export const FIRST_CONTACT_DISTANCE_MAX_METERS = 1_000_000;
export const PHRASES_MAX = 20;
export const PHRASE_MAX_CHARS = 300;
/** Messages scanned per search request; the returned cursor continues from there. */
export const SEARCH_SCAN_MAX = 500;
/** "is typing" is sent at most this often, and expires after twice as long. */
export const TYPING_INTERVAL_MS = 3 * SECOND_MS;
/** A push that waited longer than this is outdated and dropped. */
export const PUSH_MAX_AGE_MS = DAY_MS;
export const PUSH_SUBSCRIPTIONS_MAX = 20;
/** Badges stop counting beyond, because every page of the application loads them. */
export const NOTIFICATIONS_COUNTED_MAX = 15;
export const UNREAD_CONVERSATIONS_COUNTED_MAX = 20;
/** A cron job deletes older notifications. */
export const NOTIFICATION_RETENTION_MS = 90 * DAY_MS;
/** An unreturned like is deleted after this time, if its giver has been away for as long. */
export const LIKE_RETENTION_MS = 365 * DAY_MS;
/** Initial delay before reconnecting a socket; it doubles with each attempt, up to the maximum. */
export const SOCKET_RETRY_MIN_MS = 500;
export const SOCKET_RETRY_MAX_MS = 30 * SECOND_MS;
export const SOCKET_PING_MS = 25 * SECOND_MS;
/** A visible page that has not pinged for this long is gone: two pings, with room for a slow line. */
export const SOCKET_SILENCE_MAX_MS = MINUTE_MS;

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
/** How long the first paint waits for the page's content. If it paints without, that frame stays for at least 300 ms. */
export const FIRST_PAINT_WAIT_MS = 500;
export const SERVER_ERROR_SHOWN_MS = 10 * SECOND_MS;

// ---- admin
/** What the button creates, and the limit per call, so that a typo cannot fill the database. Any number takes three statements. */
export const TEST_USERS_MAX = 200;

// ---- reports, juries and moderation
/** Reports per member and day: more than anyone needs, too few to flood the queue. */
export const REPORTS_PER_DAY_MAX = 20;
export const REPORT_EVIDENCE_MAX = 20;
/** Seats of a jury, an equal number from each third of the pool by account age. Someone who registers many accounts at once gets at most three. */
export const JURY_SEATS = 9;
export const JURY_AGE_GROUPS = 3;
/** With fewer votes, staff decide. Of nine seats, about six vote (bench courts). */
export const JURY_VOTES_MIN = 5;
/** Share of votes required for either verdict; otherwise staff decide. */
export const JURY_AGREEMENT_MIN = 2 / 3;
/** Younger accounts are not drawn, so that registering accounts to sit on a jury requires a long wait. */
export const JUROR_ACCOUNT_AGE_MS = 30 * DAY_MS;
/** Jurors are drawn from members seen within this time. */
export const JUROR_SEEN_WITHIN_MS = 14 * DAY_MS;
/** Jurors must have talked with this many others, which idle accounts have not. */
export const JUROR_CONVERSATIONS_MIN = 3;
/** Members who received a warning or worse within this time are not drawn. */
export const JUROR_CLEAN_RECORD_MS = 180 * DAY_MS;
/** Nobody is summoned twice within this time, whether they voted or not. Otherwise a flood of cases would leave only those who always vote. */
export const JUROR_REST_MS = 7 * DAY_MS;
/** Accounts that joined one brand within the same period count as one cohort, of which only one member sits on a jury. */
export const JUROR_COHORT_MS = 7 * DAY_MS;
/** The hash of the network from which an account registered is deleted after this time. An attacker would have to wait a year. */
export const JUROR_NETWORK_RETENTION_MS = 365 * DAY_MS;
/** With a smaller pool, cases go to staff, because nine members unknown to both sides could not be drawn at random. */
export const JURY_POOL_MIN = 200;
/** Pool members with younger accounts are recent ... */
export const JUROR_RECENT_MS = 90 * DAY_MS;
/** ... and if they exceed this share, somebody may be stuffing the pool, so cases go to staff. */
export const JURY_POOL_RECENT_MAX = 1 / 3;
/** If more of the pool had contact with one side of the case, that side may be disqualifying jurors, so the case goes to staff. */
export const JURY_POOL_CONTACT_MAX = 0.1;
/** The longest suspension that a jury can impose without confirmation by staff. */
export const JURY_SUSPENSION_DAYS_MAX = 3;
/** A jury can impose longer suspensions without confirmation if the pool has this many members, of whom fifty accounts are half a percent, ... */
export const JURY_AUTONOMY_POOL_MIN = 10_000;
/** ... staff have decided this many jury recommendations, ... */
export const JURY_AUTONOMY_TESTED_MIN = 200;
/** ... and confirmed this share of them. */
export const JURY_AUTONOMY_CONFIRMED_MIN = 0.98;
/** For this long after a member was cleared, new cases against them go to staff, so that nobody can try one jury after another. */
export const JURY_CLEARED_COOLDOWN_MS = 30 * DAY_MS;
/** Reports by members with lower credibility get no jury and are queued last. Three rejected reports lower credibility to a fifth. */
export const REPORTER_CREDIBILITY_MIN = 0.25;
/** How long jurors have to vote. */
export const JURY_VOTING_MS = DAY_MS;
export const JURY_REASON_MIN_CHARS = 10;
export const APPEAL_TEXT_MIN_CHARS = 10;
/** How long outcomes can be appealed. */
export const APPEAL_WINDOW_MS = 30 * DAY_MS;
export const SUSPENSION_MAX_DAYS = 365;
/** Staff give a reason for each action and decision. */
export const STAFF_REASON_MIN_CHARS = 3;
export const QUEUE_PAGE_SIZE = 50;
export const AUDIT_PAGE_SIZE = 100;
/** Duration of a legal hold: 18 USC 2258A(h) requires one year from a report to the CyberTipline. */
export const HOLD_MS = 365 * DAY_MS;
/** Extension on request by an authority: 18 USC 2703(f) allows 90 days, renewable once. */
export const HOLD_EXTENSION_MS = 90 * DAY_MS;
export const HOLD_EXTENSIONS_MAX = 2;
export const HOLD_REASON_MIN_CHARS = 10;
/** A request to open a hold lapses if nobody agrees within this time. */
export const HOLD_REQUEST_MS = 7 * DAY_MS;
/** How long the two admins who opened a hold have access. */
export const HOLD_OPEN_MS = DAY_MS;

/** Times in the public chain are rounded to days, because the hour could reveal to a reported member who reported them. */
export const AUDIT_TIME_STEP_MS = DAY_MS;

// ---- games
export const GAME_PACK_SIZE = 10;
/** A vote this soon after the previous one was cast without looking. */
export const GAME_VOTE_MIN_MS = 600;
/** Undecided items per player and day: a few minutes of play, too few to keep drawing until a certain picture appears. */
export const GAME_OPEN_PER_DAY_MAX = 10;
/** The same per week, so that playing daily gives hardly more influence than playing twice a week. */
export const GAME_OPEN_PER_WEEK_MAX = 24;
/** Items with a known answer per player and day: enough to judge a player after two days. */
export const GAME_KNOWN_PER_DAY_MAX = 6;
/** A player's votes count once the account is this old ... */
export const PROVEN_ACCOUNT_AGE_MS = 14 * DAY_MS;
/** ... and the player has answered this many known items ... */
export const PROVEN_KNOWN_MIN = 10;
/** ... with this share correct. Guessing reaches a quarter or a half, honest players over four in five. */
export const PROVEN_ACCURACY_MIN = 0.7;
/** With fewer proven players who voted recently, staff decide: a hundred accounts of one person would be a quarter of the voters. */
export const CONSENSUS_VOTERS_MIN = 300;
export const CONSENSUS_VOTERS_WITHIN_MS = 30 * DAY_MS;
/** Votes that a consensus requires (bench picture-votes has the figures for this and the next four limits), ... */
export const CONSENSUS_VOTES_MIN = 20;
/** ... the share that must agree, ... */
export const CONSENSUS_SHARE = 0.8;
/** ... and the minimum time from first to last vote, so that daily players do not decide before weekly ones have seen the item. */
export const CONSENSUS_SPAN_MS = 7 * DAY_MS;
/** Votes that count per item from accounts that joined from the same network or in the same week. */
export const CONSENSUS_GROUP_VOTES_MAX = 2;
/** Staff decide items that are still undecided after this many votes ... */
export const CONSENSUS_VOTES_MAX = 40;
/** ... or this much time. */
export const CONSENSUS_WAIT_MAX_MS = 21 * DAY_MS;
/** While votes do not count, this many send an item to staff. */
export const SUSPECTED_VOTES_MIN = 4;
/** An item becomes a test item if its consensus has this share ... */
export const TEST_ITEM_SHARE = 0.95;
/** ... and has been stable for this long. */
export const TEST_ITEM_STABLE_MS = 14 * DAY_MS;
/** An owner may request a review of a marked picture once in this time. */
export const REVIEW_REQUEST_INTERVAL_MS = 30 * DAY_MS;
/** A review goes to staff if fresh voters have not decided within this time. */
export const REVIEW_WAIT_MAX_MS = 14 * DAY_MS;
/**
 * Maximum credits per day, by activity. Work for the community pays, while Identify and Cooties pay next to nothing, because a bot or
 * two accounts of one member could win all day long.
 */
export const CREDITS_PER_DAY_MAX = { rating: 20, buster: 20, crop: 25, jury: 30, identify: 2, cooties: 3 } as const;
/** Games pay credits only to accounts older than this, because new accounts cost nothing. */
export const CREDITS_ACCOUNT_AGE_MS = 14 * DAY_MS;
export const CREDITS_CROP_APPLIED = 5;
export const CREDITS_JURY_VOTE = 3;
export const IDENTIFY_SHOWN_MS = 3 * SECOND_MS;
/** Later answers do not count. */
export const IDENTIFY_ANSWER_MS = MINUTE_MS;
export const BUSTER_TEXT_MIN_CHARS = 60;
/** Players within this distance, by published positions, can be tagged. */
export const COOTIES_REACH_KM = 80;
/** A caught player cannot be tagged again for this long. */
export const COOTIES_IMMUNE_MS = 30 * MINUTE_MS;
export const LEADERBOARD_SIZE = 20;

// ---- health notices
export const EXPOSURE_RECIPIENTS_MAX = 10;
/** Recipients of a notice to all partners from a period. A longer list would no longer consist of real chat partners. */
export const EXPOSURE_ALL_MAX = 50;
/** Notices per sender and day. */
export const EXPOSURE_PER_DAY_MAX = 2;
/** How far back contact counts: the longest period that a sender can choose. */
export const EXPOSURE_CONTACT_MS = 90 * DAY_MS;
/** Messages that each must have sent to the other to count as partners: "no thanks" and "please stop" are only two. */
export const EXPOSURE_MESSAGES_EACH_MIN = 3;
/** Only the latest messages of a conversation are counted for it, to bound the cost of long ones. */
export const EXPOSURE_MESSAGES_READ_MAX = 60;
/** Minimum time between notices to one recipient, whoever sends them: one is enough to take a test, more are harassment. */
export const EXPOSURE_COOLDOWN_MS = 30 * DAY_MS;
/** With fewer recent partners the recipient could guess the sender, so the notice waits for more ... */
export const EXPOSURE_PARTNERS_MIN = 3;
/** ... partners whose accounts are this old. That is longer than any notice waits, so accounts made for the purpose do not help ... */
export const EXPOSURE_PARTNER_AGE_MS = 30 * DAY_MS;
/** ... and is dropped after this time. */
export const EXPOSURE_WAIT_MAX_MS = 14 * DAY_MS;
/** Range of the random delay before delivery, drawn for each recipient. */
export const EXPOSURE_DELAY_MIN_MS = 4 * HOUR_MS;
export const EXPOSURE_DELAY_MAX_MS = 52 * HOUR_MS;

// ---- read replicas
/** Maximum staleness of a region's watermark: what it was not notified about, it learns within this time. */
export const WATERMARK_LEASE_MS = 10_000;
/** A browsing member's session is read once a minute. Whatever is announced ends it at once, so this only delays what is not. */
export const SESSION_CACHE_MS = 60_000;

// ---- quotas: what one member may cost
// Counted exactly and globally by the member's RateLimiter object, in windows that start with the first use. cost.ts computes the
// totals, and its test pins them.
/** How long an account counts as new. New accounts may read less, because making another costs nothing. */
export const NEW_ACCOUNT_MS = 3 * DAY_MS;
/** Messages and broadcasts per day, in bytes: about 2,000 short ones, or 80 of maximum length. */
export const MESSAGE_BYTES_PER_DAY_MAX = 1_000_000;
/** Overhead per message in addition to its text: the row, seven index entries and both members' conversation rows. */
export const MESSAGE_ROW_BYTES = 400;
/** All notes of a member together: 1,600 of 400 characters, or 190 of 1,000. */
export const NOTE_BYTES_TOTAL_MAX = 1_000_000;
/** Overhead per note in addition to its text and tags: the row and two index entries. */
export const NOTE_ROW_BYTES = 200;
/** A longer note also takes up part of a database page that it does not fill. */
export const NOTE_INLINE_BYTES = 900;
export const NOTE_PAGE_BYTES = 4096;
/** Notes are saved while typing. */
export const NOTE_SAVES_PER_MINUTE_MAX = 60;
export const NOTE_SAVES_PER_DAY_MAX = 2000;
/** Members liked or disliked per day, and as many pictures: an evening of swiping, but not enough to rate a whole city. */
export const LIKES_PER_DAY_MAX = 1000;
/** The like, two index entries, and the other member's notification. */
export const LIKE_ROW_BYTES = 350;
/** Position reports that change something: a drag every two seconds, or a day on the road at one cell per minute. */
export const POSITION_WRITES_PER_MINUTE_MAX = 30;
export const POSITION_WRITES_PER_DAY_MAX = 1500;
export const UPLOADS_PER_DAY_MAX = 100;
/** What a member's calls and frames may cost the site per day, in millionths of a dollar by the prices of cost.ts ... */
export const WORK_PER_DAY_MAX = 14_000;
/** ... and what blocking, hiding, reporting, locking and logging out may cost beyond. */
export const WORK_RESERVE = 1000;
/** Image transformations of the whole site per day: $3. */
export const IMAGE_WORK_PER_DAY_MAX = 6000;
/** New accounts get no more than this share of them, those in one network together no more than that. */
export const IMAGE_WORK_NEW_SHARE = 0.5;
export const IMAGE_WORK_NETWORK_SHARE = 0.1;
/** An account's image work is a new one's for a week, as making another costs nothing. */
export const IMAGE_WORK_NEW_MS = 7 * DAY_MS;
/** Transformations of one member's uploads per day: 140 uploads, 14 of a new account. */
export const IMAGE_WORK_MEMBER_MAX = 700;
export const IMAGE_WORK_MEMBER_NEW_MAX = 70;
/** This share of the site's is kept for the first few of each member: three uploads. */
export const IMAGE_WORK_FIRST_SHARE = 0.3;
export const IMAGE_WORK_FIRST = 15;
/** The original, the smallest width, the preview, the sample for hashes, and the pixelated version that may be needed later. */
export const IMAGE_WORK_PER_UPLOAD = 5;
/** Login links of the whole site per hour, beyond which each costs proof of work. */
export const LOGIN_LINKS_PER_HOUR_NORMAL = 150;
/** A member's mails with digits a day that neither those links nor a shared network can hold up. */
export const PROOF_MAILS_FREE_PER_DAY = 1;
/** Mails of the whole site per day, besides logins and receipts of notices: $3.50 ... */
export const MAILS_PER_DAY_MAX = 10_000;
/** ... and how many of them letters may be, which strangers can request. */
export const MAILS_OTHER_PER_DAY_MAX = 5000;
/** Changes of password per day, each of which hashes, mails and ends sessions. A new session always has one, so that its owner can end a thief's. */
export const PASSWORD_CHANGES_PER_DAY_MAX = 5;
export const EMAIL_CHANGES_PER_DAY_MAX = 3;
/** Uploads a day that a member gets back by deleting them within an hour; what they cost the site stays spent. */
export const DELETED_GIVEN_BACK_PER_DAY_MAX = 20;
/** Picture bytes stored per day, including generated widths: enough to fill an album on the first day. */
export const PICTURE_BYTES_PER_DAY_MAX = 60_000_000;
/** All stored picture bytes of a member. */
export const PICTURE_BYTES_TOTAL_MAX = 500_000_000;
/** Per stored original. A photograph of 4096 pixels takes 1 to 2 MB; anything larger is noise and gets scaled down. */
export const PICTURE_STORED_MAX_BYTES = 3_000_000;
/** Blocks, album grants and album requests per day; each may notify the other member. */
export const RELATIONS_PER_DAY_MAX = 300;
export const RELATION_ROW_BYTES = 350;
export const CONTACT_MESSAGES_PER_DAY_MAX = 6;
/** All calls that change something: those above, plus votes, receipts and settings, which are small or overwrite existing data. */
export const CHANGES_PER_DAY_MAX = 4000;
export const CHANGE_ROW_BYTES = 120;
/** Bytes of evidence copied by a member's reports per day: one report of maximum size, or a full day of ordinary ones. */
export const REPORT_BYTES_PER_DAY_MAX = 350_000;
/** Sessions started per account and day, and the bytes that each takes. */
export const SESSIONS_PER_DAY_MAX = 100;
export const SESSION_ROW_BYTES = 300;

/** Calls per member and minute: each call of a batch counts, picture downloads count a quarter. Opening a screen takes about thirty. */
export const CALLS_PER_MINUTE_MAX = 1200;
export const CALLS_PER_MINUTE_NEW_MAX = 600;
export const PICTURE_CALL_WEIGHT = 0.25;
/** Distinct members whose profile, relation or albums a member may open per day. */
export const PROFILES_OPENED_PER_DAY_MAX = 2000;
export const PROFILES_OPENED_PER_DAY_NEW_MAX = 250;
/** Distinct members whom lists and the map may show a member per day; repeated ones do not count again. */
export const MEMBERS_SHOWN_PER_DAY_MAX = 20_000;
export const MEMBERS_SHOWN_PER_DAY_NEW_MAX = 5000;
/** Open sockets per member over all objects: phones, tabs, and stale ones after a lost connection. */
export const SOCKETS_PER_MEMBER_MAX = 20;
/** Frames per member and minute over all sockets: a receipt for each message at peak, plus typing. */
export const SOCKET_FRAMES_PER_MINUTE_MAX = 120;
/** Opening a socket wakes a Durable Object and counts as this many calls. */
export const SOCKET_CALL_WEIGHT = 5;

// ---- notices from anybody (docs/decisions/2026-11-22-legal-notices-without-an-account.md)
/** Legal deadline for intimate pictures: US Take It Down Act, UK Crime and Policing Bill. */
export const NOTICE_DUE_MS = 2 * DAY_MS;
/** Staff are alerted after half of it. */
export const NOTICE_ALARM_MS = DAY_MS;
/** How long after the decision a picture's owner may object; then the removed picture is deleted. */
export const NOTICE_COUNTER_WINDOW_MS = 30 * DAY_MS;
export const NOTICE_COUNTER_MIN_CHARS = 10;
/** Contact details, signature and texts are erased this long after the decision, when neither side can object any more. */
export const NOTICE_CONTACT_RETENTION_MS = 180 * DAY_MS;
/** After a false notice, further notices from that mailbox do not hide pictures immediately for this long. */
export const NOTICE_MAILBOX_DISTRUSTED_MS = 365 * DAY_MS;
/** The owner of a picture that was not public learns of a look by staff after the decision, or at the latest after this time. */
export const NOTICE_VIEW_TOLD_MS = 30 * DAY_MS;
export const NOTICE_LOCATION_MAX_CHARS = 2000;
export const NOTICE_CONTACT_MAX_CHARS = 200;
export const NOTICE_EXPLANATION_MIN_CHARS = 20;
/** Pictures per notice: a notice is about pictures of one person, not about the whole site. */
export const NOTICE_PICTURES_MAX = 10;
/** The browser scales the uploaded picture to this size, which is all that hashing needs. */
export const NOTICE_UPLOAD_PX = 512;
export const NOTICE_UPLOAD_MAX_BYTES = 700_000;
/** Undecided pictures that one mailbox may have hidden automatically, and of one member all senders; the others wait for staff. */
export const NOTICE_HIDDEN_PER_SENDER_MAX = 20;
export const NOTICE_HIDDEN_PER_OWNER_MAX = 3;
/** Notices a day from one network, one IPv6 site, and for one mailbox, before each takes more work. */
export const NOTICES_PER_NETWORK_NORMAL = 10;
export const NOTICES_PER_SITE_NORMAL = 40;
export const NOTICES_PER_MAILBOX_NORMAL = 10;
/** After its owner said that they had not filed a notice, nobody can file with that mailbox for this long. */
export const NOTICE_DISOWNED_MS = 30 * DAY_MS;
/** Proof of work per notice: number of answers, and leading zero bits of each. Several small ones vary less in time than a large one. */
export const NOTICE_WORK_ANSWERS = 16;
export const NOTICE_WORK_BITS = 15;
/** Each of these extra bits doubles the work: once if there are more challenges per hour than normal, and per step for floods. */
export const NOTICE_WORK_EXTRA_BITS = 3;
/** The last step, of eight million seconds of work, is never full. */
export const NOTICE_WORK_STEPS_MAX = 8;
/** Notices a day in each step from the third on, of all networks together that filed more than 110. */
export const NOTICES_OF_FLOODS_PER_STEP = 2000;
export const NOTICE_CHALLENGES_PER_HOUR_NORMAL = 300;
export const NOTICE_CHALLENGE_TTL_MS = 2 * HOUR_MS;

/** Validity of a request for a proof of age. */
export const AGE_REQUEST_TTL_MS = 8 * MINUTE_MS;
/** How long a visitor's proof remains valid before they register. */
export const AGE_TICKET_TTL_MS = HOUR_MS;
/** Requests per network and hour; each allows verifying one response. */
export const AGE_REQUESTS_PER_IP_MAX = 30;
export const AGE_REQUESTS_PER_SITE_MAX = 120;

/** How long a contact message is kept after it was marked as done. */
export const CONTACT_MESSAGE_RETENTION_MS = 180 * DAY_MS;

/** The longest lock-down: 30 days. Members who lost their recovery words have to wait it out. */
export const LOCKDOWN_HOURS_MAX = 720;
/** Devices per member that can start a lock-down. Another one is refused: an intruder's must not replace the owner's. */
export const LOCKDOWN_DEVICES_MAX = 5;
/** Setups and changes per member and day. */
export const LOCKDOWN_CHANGES_PER_DAY_MAX = 30;
/** Correct PINs per network and 15 minutes that do more than look their token up: an office behind one address does not reach it. */
export const UNLOCKS_PER_IP_MAX = 60;
export const UNLOCKS_PER_SITE_MAX = 240;
export const UNLOCKS_WINDOW_MS = 15 * MINUTE_MS;
/** Eight of 2048 words are 88 bits: infeasible to guess, even with a copy of the database. */
export const RECOVERY_WORDS = 8;

/** Planned trips per member, and changes per day. */
export const TRIPS_MAX = 10;
export const TRIP_CHANGES_PER_DAY_MAX = 60;
export const TRIP_NAME_MAX_CHARS = 80;
/** How far ahead a trip may start, and how long it may last. */
export const TRIP_AHEAD_MAX_DAYS = 366;
export const TRIP_DURATION_MAX_DAYS = 183;
/** Members see a trip this many days ahead, and within this distance of its destination. */
export const TRIP_ANNOUNCED_DAYS = 30;
export const TRIP_REACH_METERS = 50_000;
/** A marker shows who is coming once it has stayed in its place this long, or trips could be searched for by dragging it. */
export const COMING_HELD_MS = 3 * DAY_MS;
/** Anybody can report a false position as a device's, so that each member sees who is coming to this many places a day. */
export const COMING_PLACES_PER_DAY_MAX = 3;
/** A trip is erased this many days after its end, because days end at different hours around the globe. */
export const TRIP_RETENTION_DAYS = 2;
/** Visiting members in one list. */
export const VISITING_MEMBERS_MAX = 24;

/** A stay in which no device was seen ends when the network has been elsewhere for this long. */
export const STAY_NETWORK_GRACE_MS = DAY_MS;
/** How long the notice that a stay is over is kept until the member sees it. */
export const STAY_LEFT_RETENTION_MS = 30 * DAY_MS;
/** Calls about stays per member and day. */
export const STAY_CALLS_PER_DAY_MAX = 500;

// ---- safe-meet: a plan that a friend can open if its maker does not check in
/** The longest plan, including extensions. A forgotten one is completely erased two days later. */
export const MEET_MAX_MS = DAY_MS;
/** The shortest plan that the server accepts, for tests; screens offer an hour or more. */
export const MEET_MIN_MS = SECOND_MS;
/** The member is asked to check in this long before the deadline, or halfway there if less time is left. */
export const MEET_CHECK_IN_MS = 10 * MINUTE_MS;
/** After the deadline the member has this long to check in before the friend's page opens; both screens say so. */
export const MEET_GRACE_MS = 10 * MINUTE_MS;
export const MEET_GRACE_MAX_MS = HOUR_MS;
/** An alarm and its data are erased this long after it was raised. */
export const MEET_RETENTION_MS = DAY_MS;
/** Consecutive wrong PINs of the maker's device, and of each network that has only the link. None uses up the tries of another. */
export const MEET_TRIES_MAX = 5;
/** Wrong PINs of all networks that have only the link: a chance of 1 in 500 against four digits, together with the device's tries. */
export const MEET_LINK_TRIES_MAX = 15;
export const MEET_PIN_MIN_DIGITS = 4;
export const MEET_PIN_MAX_DIGITS = 8;
/** PBKDF2-SHA-256 iterations over a secret salt: a third of a second on a phone. */
export const MEET_PIN_ITERATIONS = 300_000;
/** Plans are padded to this size before encryption, so that their length reveals nothing. */
export const MEET_PLAN_BYTES = 6144;
export const MEET_POSITION_BYTES = 256;
/** AES-GCM overhead: a 12-byte nonce and a 16-byte tag. */
export const MEET_SEAL_BYTES = 28;
export const MEET_NAME_MAX_CHARS = 60;
export const MEET_PLACE_MAX_CHARS = 200;
export const MEET_NOTE_MAX_CHARS = 1000;
export const MEET_POSITION_INTERVAL_MS = 5 * MINUTE_MS;
/** Positions that are kept from the beginning, and again from the end: an hour each. */
export const MEET_POSITIONS_EACH_MAX = 12;
export const MEETS_PER_DAY_MAX = 10;
/** Calls of one kind per plan, caller and minute; an open page makes three. A raised plan can always be read. */
export const MEET_CALLS_PER_MINUTE_MAX = 40;
/** Devices that one plan wakes. Whoever has the link can take all places, so a device of another network takes one back. */
export const MEET_FRIENDS_MAX = 40;
/** Calls with a wrong token per network and hour. Calls with the right one are not counted, so that no neighbor can use them up. */
export const MEET_WRONG_CALLS_PER_NETWORK_MAX = 12_000;
export const MEET_WRONG_CALLS_PER_SITE_MAX = 48_000;
/** Polling interval of an open page. */
export const MEET_POLL_MS = 20 * SECOND_MS;

/** A night out ends by itself. */
export const TONIGHT_MAX_MS = 12 * HOUR_MS;
/** Its end is rounded up to this. */
export const TONIGHT_ROUNDING_MS = 15 * MINUTE_MS;

/** Who met: a conversation lasted this long, with this many messages from each, before one may say it. */
export const MET_CONVERSATION_MIN_MS = 2 * DAY_MS;
export const MET_MESSAGES_EACH_MIN = 3;
export const MET_SHOWN_MIN = 3;
/** What is shown, rounded down. */
export const MET_LEVELS = [MET_SHOWN_MIN, 5, 10] as const;
/** Each member is counted anew once in this time, so that a step tells nobody whose word it was. */
export const MET_COUNT_MS = 28 * DAY_MS;
/** Whoever counts has an account of this age, ... */
export const MET_SAYER_AGE_MS = 28 * DAY_MS;
/** ... the only one that counts of those opened in the same period, so that two months of opening accounts make two, ... */
export const MET_JOINED_PERIOD_MS = 56 * DAY_MS;
/** ... and has talked with members of so many networks outside the circle: more than ten accounts of one person have among themselves. */
export const MET_OTHER_CONVERSATIONS_MIN = 8;
/** Then it has to be said again. */
export const MET_KEPT_MS = 365 * DAY_MS;

// ---- is it him?
export const CHECK_STILLS = 3;
/** Long enough to find paper and pen, too short to have a picture made. */
export const CHECK_POSE_MS = 60_000;
/** For the upload of the stills from a slow network. */
export const CHECK_UPLOAD_SLACK_MS = 30_000;
/** Poses drawn per day: whoever waits for one that an old picture shows needs centuries. */
export const CHECK_POSES_PER_DAY_MAX = 5;
/** Judges drawn for a check, of whom the first to answer decide (`bench -- picture-votes` has the figures for these limits), ... */
export const CHECK_JUDGES_MAX = 150;
/** ... so many at least, ... */
export const CHECK_ANSWERS_MIN = 14;
/** ... or this much more than the judges whom one person with so many accounts would have among them; ... */
export const CHECK_ANSWERS_MARGIN = 1.5;
export const CHECK_HOSTILE_ACCOUNTS = 50;
/** ... the badge takes this share of them. */
export const CHECK_AGREED_SHARE_MIN = 0.8;
/** Judges are from among the proven players who voted within this time. */
export const CHECK_JUDGES_WITHIN_MS = 7 * DAY_MS;
/** Judges live at least this far away. */
export const CHECK_JUDGE_DISTANCE_MIN_METERS = 200_000;
/** Then staff decide. */
export const CHECK_JUDGED_MAX_MS = 7 * DAY_MS;
/** After a refusal. */
export const CHECK_AGAIN_MS = DAY_MS;
/** After a refusal by staff. */
export const CHECK_AGAIN_AFTER_STAFF_MS = 30 * DAY_MS;
/** This many refusals, then staff decide. */
export const CHECK_REFUSALS_MAX = 3;
/** Staff have this long, then the stills are deleted. */
export const CHECK_STAFF_WAIT_MS = 30 * DAY_MS;
/** A badge is shown through the same month of the next year. */
export const CHECK_BADGE_MS = 396 * DAY_MS;
/** How long a judge sees each pair of pictures. */
export const CHECK_SHOWN_MS = 3000;
/** An item's pictures may be read for this long after the first one, so that three pairs load on a slow network, ... */
export const CHECK_SERVED_MS = 20_000;
/** ... each once, or again within this time, in case the answer was lost. */
export const CHECK_READ_AGAIN_MS = 5000;
/** How often one judge's report alone takes a check out of the judges' hands: fewer than one person could keep from the badge. */
export const CHECK_TAKEN_OUT_EACH_MS = 7 * DAY_MS;
/** While judges look and answer, no more see the pictures than answers are missing. */
export const CHECK_HELD_MS = 2 * MINUTE_MS;

// ---- what an unlocked phone in other hands can open
/** After this time taking back a block needs a fresh proof: the notice with "Undo" is gone, with room for a slow line. */
export const BLOCK_UNDO_MS = MINUTE_MS;
/** What was disclosed without a proof can be taken back for so long. */
export const DISCLOSURE_RETENTION_MS = 30 * DAY_MS;
/** More than a member's daily limits allow in that time and still want to keep. */
export const DISCLOSURES_KEPT_MAX = 5000;
