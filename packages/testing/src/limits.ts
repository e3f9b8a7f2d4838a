/**
 * Whose each limit is. One that several people fill is a switch in the hands of strangers unless it spares whoever needs what it guards: each
 * of those names who is spared, and the attack that fills it and then acts as that person.
 */

/** Counted for one member, device or mailbox's owner alone, or the size of one thing or answer. Strangers add nothing to it. */
export const OWN_LIMITS: ReadonlySet<string> = new Set(
  `PRIVATE_TAGS_MAX LOGIN_DIGITS_TRIES_MAX PASSKEYS_MAX PASSKEYS_ADDED_PER_DAY_MAX EXPORTS_PER_DAY_MAX LOGIN_LINKS_PER_KNOWN_DEVICE_MAX
  MESSAGES_PER_MINUTE_MAX UPLOADS_PER_HOUR_MAX REFUSED_UPLOADS_WAITING_MAX PICTURES_PER_PROFILE_MAX ALBUM_REQUESTS_PER_DAY_MAX SECTORS_MAX
  MARKERS_MAX SQUARES_WATCHED_MAX SQUARE_CHANGES_MAX AGGREGATE_CELLS_MAX BATCH_CALLS_MAX PAGE_SIZE_MAX PRIVATE_TAGS_LISTED_MAX
  PROFILE_IDS_PER_CALL_MAX LIKES_PER_MINUTE_MAX LIKES_SEARCHED_MAX MESSAGE_PICTURES_MAX VOICE_PEAKS_MAX UNANSWERED_MESSAGES_MAX
  OPENINGS_PER_HOUR_MAX OPENINGS_KEPT_MAX SHOWN_TO_LISTED_MAX SHOWN_PER_SEARCH_MAX DISCREET_ENDED_PER_DAY_MAX UNWANTED_WORDS_MAX PHRASES_MAX
  SEARCH_SCAN_MAX PUSH_SUBSCRIPTIONS_MAX NOTIFICATIONS_COUNTED_MAX UNREAD_CONVERSATIONS_COUNTED_MAX TEST_USERS_MAX REPORTS_PER_DAY_MAX
  REPORT_EVIDENCE_MAX JURY_SUSPENSION_DAYS_MAX HOLD_EXTENSIONS_MAX GAME_OPEN_PER_DAY_MAX GAME_OPEN_PER_WEEK_MAX GAME_KNOWN_PER_DAY_MAX
  CREDITS_PER_DAY_MAX EXPOSURE_RECIPIENTS_MAX EXPOSURE_ALL_MAX EXPOSURE_PER_DAY_MAX EXPOSURE_MESSAGES_READ_MAX MESSAGE_BYTES_PER_DAY_MAX
  NOTE_BYTES_TOTAL_MAX NOTE_SAVES_PER_MINUTE_MAX NOTE_SAVES_PER_DAY_MAX LIKES_PER_DAY_MAX POSITION_WRITES_PER_MINUTE_MAX
  POSITION_WRITES_PER_DAY_MAX UPLOADS_PER_DAY_MAX WORK_PER_DAY_MAX WORK_RESERVE IMAGE_WORK_MEMBER_MAX IMAGE_WORK_MEMBER_NEW_MAX
  PROOF_MAILS_FREE_PER_DAY DELETED_GIVEN_BACK_PER_DAY_MAX PICTURE_BYTES_PER_DAY_MAX PICTURE_BYTES_TOTAL_MAX RELATIONS_PER_DAY_MAX
  CONTACT_MESSAGES_PER_DAY_MAX CHANGES_PER_DAY_MAX REPORT_BYTES_PER_DAY_MAX SESSIONS_PER_DAY_MAX CALLS_PER_MINUTE_MAX CALLS_PER_MINUTE_NEW_MAX
  PROFILES_OPENED_PER_DAY_MAX PROFILES_OPENED_PER_DAY_NEW_MAX MEMBERS_SHOWN_PER_DAY_MAX MEMBERS_SHOWN_PER_DAY_NEW_MAX SOCKETS_PER_MEMBER_MAX
  SOCKET_FRAMES_PER_MINUTE_MAX NOTICE_PICTURES_MAX NOTICE_HIDDEN_PER_SENDER_MAX LOCKDOWN_DEVICES_MAX LOCKDOWN_HOURS_MAX LOCKDOWN_CHANGES_PER_DAY_MAX TRIPS_MAX
  TRIP_CHANGES_PER_DAY_MAX COMING_PLACES_PER_DAY_MAX VISITING_MEMBERS_MAX STAY_CALLS_PER_DAY_MAX MEET_POSITIONS_EACH_MAX MEETS_PER_DAY_MAX
  DISCLOSURES_KEPT_MAX EMAIL_CHANGES_PER_DAY_MAX EXPORTS_BEGUN_PER_DAY_MAX ONCE_TRIES_MAX PASSWORD_CHANGES_PER_DAY_MAX
  CHECK_POSES_PER_DAY_MAX CHECK_JUDGES_MAX CHECK_REFUSALS_MAX TEST_ITEM_SHARE CONSENSUS_SHARE`.split(/\s+/),
);

interface SharedLimit {
  /** Names in packages/contract/src/limits.ts, or the binding that counts. */
  readonly names: readonly string[];
  readonly whose: string;
  /** What happens when strangers fill it. */
  readonly filled: string;
  readonly spared: string;
  /** A test file of the worker, and a part of a test's name. */
  readonly attack: readonly [file: string, name: string];
}

const LOGIN_LINK = "accounts/login-link.test.ts";
const MEETS = "messaging/meets/meets.test.ts";
const NOTICE = "moderation/notices/notice.test.ts";
const IMAGES = "platform/rate-limits/image-work.test.ts";
const HARDER = "each further call takes work, in steps of eight times";
const WHO_WORKS = "whoever does the work, a second to half a minute";

export const SHARED_LIMITS: readonly SharedLimit[] = [
  {
    names: ["LOGIN_ATTEMPTS_PER_IP_MAX", "LOGIN_ATTEMPTS_PER_SITE_MAX"],
    whose: "everybody behind one address, by password, link and passkey; success gives back",
    filled: HARDER,
    spared: `known devices, and ${WHO_WORKS}`,
    attack: [LOGIN_LINK, "are limited per network, by link and by password"],
  },
  {
    names: [
      "LOGIN_DIGITS_PER_IP_MAX",
      "LOGIN_DIGITS_PER_SITE_MAX",
      "AGE_REQUESTS_PER_IP_MAX",
      "AGE_REQUESTS_PER_SITE_MAX",
    ],
    whose: "everybody behind one address; digits that are right give back",
    filled: HARDER,
    spared: WHO_WORKS,
    attack: [LOGIN_LINK, "are asked for work, and not refused, where strangers of their network filled"],
  },
  {
    names: ["CONTACT_MESSAGES_PER_HOUR_MAX", "CONTACT_MESSAGES_PER_SITE_MAX"],
    whose: "all visitors behind one address",
    filled: HARDER,
    spared: `members, who have their own, and ${WHO_WORKS}`,
    attack: [LOGIN_LINK, "are asked for work, and not refused, where strangers of their network filled"],
  },
  {
    names: ["LOGIN_LINKS_PER_IP_MAX", "LOGIN_LINKS_PER_SITE_MAX", "LOGIN_LINKS_PER_HOUR_NORMAL"],
    whose: "everybody behind one address; the whole site",
    filled: HARDER,
    spared: `known devices, who prove an account is theirs, and ${WHO_WORKS}`,
    attack: [LOGIN_LINK, "get a link on a known device, whatever strangers of their network or of the site ask for"],
  },
  {
    names: ["LOGIN_LINKS_PER_EMAIL_MAX", "LOGIN_LINKS_PER_MAILBOX_MAX"],
    whose: "whoever asks for links to one mailbox, from one network and from all",
    filled: "no further mail this hour, and the same answer",
    spared: "known devices of the mailbox, passwords and passkeys",
    attack: [LOGIN_LINK, "do not use up the allowance of a known device"],
  },
  {
    names: ["LOGIN_FAILURES_MAX", "LOGIN_FAILURES_PER_ADDRESS_MAX"],
    whose: "whoever guesses one account's password, from one network and from all",
    filled: "no password of an unknown device for a quarter of an hour",
    spared: "known devices, links and passkeys",
    attack: ["accounts/accounts.test.ts", "stays available to a device that logged in before while others guess"],
  },
  {
    names: ["LOGIN_DIGITS_PER_MAILBOX_MAX", "LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX"],
    whose: "whoever tries digits for one mailbox, from one network and from all",
    filled: "no digits of an unknown device today",
    spared: "known devices, and the link in the same mail",
    attack: ["accounts/login-digits.test.ts", "cannot be used up by a stranger's wrong tries"],
  },
  {
    names: ["UNLOCKS_PER_IP_MAX", "UNLOCKS_PER_SITE_MAX"],
    whose: "everybody behind one address",
    filled: "tokens are only looked up",
    spared: "second PINs, which fire all the same",
    attack: ["accounts/lockdown/lockdown.test.ts", "works in a flood of unknown tokens"],
  },
  {
    names: ["MAILS_PER_DAY_MAX", "MAILS_OTHER_PER_DAY_MAX"],
    whose: "the whole site; letters of strangers have half of it",
    filled: "mails wait until tomorrow",
    spared: "logins, receipts of notices, and the other half against letters",
    attack: ["platform/mail/send-mail.test.ts", "lets letters use up half of what the site sends a day"],
  },
  {
    names: ["SQUARE_LISTENERS_MAX"],
    whose: "all who watch one square of the map",
    filled: "all reload every 15 seconds, whether or not anybody acts",
    spared: "everybody: a reload shows the same, and that it comes tells nothing",
    attack: [
      "profiles/search/squares.test.ts",
      "is told to reload at every tick where more than 200 listen, whether or not anybody acts",
    ],
  },
  {
    names: ["IMAGE_WORK_PER_DAY_MAX", "IMAGE_WORK_FIRST_SHARE"],
    whose: "the whole site",
    filled: "uploads wait until midnight, pictures show in a stored width",
    spared: "the first uploads of each member",
    attack: [IMAGES, "keeps the first uploads of each member when old accounts use up the rest"],
  },
  {
    names: ["IMAGE_WORK_NEW_SHARE"],
    whose: "all new accounts",
    filled: "their uploads wait until midnight",
    spared: "the first uploads of each, and older members",
    attack: [IMAGES, "keeps the first uploads of newcomers when other new accounts use up the rest"],
  },
  {
    names: ["IMAGE_WORK_NETWORK_SHARE"],
    whose: "new accounts behind one address",
    filled: "their uploads wait until midnight",
    spared: "the first uploads of each, and older members",
    attack: [IMAGES, "is a tenth for a new account, and a share for all of them and for those of a network"],
  },
  {
    names: ["NOTICE_HIDDEN_PER_OWNER_MAX"],
    whose: "whoever files notices about one member's pictures",
    filled: "further copies wait for staff, 48 hours at most",
    spared: "a mailbox and network that hide nothing of that member yet",
    attack: [NOTICE, "hides three pictures of one member for any number of mailboxes"],
  },
  {
    names: [
      "NOTICES_PER_NETWORK_NORMAL",
      "NOTICES_PER_SITE_NORMAL",
      "NOTICES_OF_FLOODS_PER_STEP",
      "NOTICE_WORK_STEPS_MAX",
      "NOTICE_CHALLENGES_PER_HOUR_NORMAL",
    ],
    whose: "everybody behind one address, then all networks that flood; the whole site",
    filled: HARDER,
    spared: WHO_WORKS,
    attack: [NOTICE, "from one network take more and more work"],
  },
  {
    names: ["NOTICES_PER_MAILBOX_NORMAL"],
    whose: "whoever names one mailbox",
    filled: HARDER,
    spared: WHO_WORKS,
    attack: [NOTICE, "in somebody's name never close the door to their mailbox"],
  },
  {
    names: ["MEET_FRIENDS_MAX"],
    whose: "whoever has the link of a plan",
    filled:
      "a newcomer displaces the newest device of the network that has most, or one of the newer half if each has one",
    spared:
      "each friend who came before half of the places were taken, and others until strangers of many networks follow",
    attack: [MEETS, "whoever changes networks all the time removes no friend"],
  },
  {
    names: ["MEET_TRIES_MAX", "MEET_LINK_TRIES_MAX"],
    whose: "whoever has the link of a plan, from one network and from all",
    filled: "no PIN by the link any more, and the alarm comes at its time",
    spared: "the maker's device",
    attack: [MEETS, "who floods wrong PINs takes no try from the maker's device"],
  },
  {
    names: ["MEET_CALLS_PER_MINUTE_MAX"],
    whose: "whoever has the link of a plan, behind one address",
    filled: "reads wait a minute",
    spared: "other networks, the maker, and everybody once it is raised",
    attack: [MEETS, "who floods reads stops neither the friend nor the maker"],
  },
  {
    names: ["MEET_WRONG_CALLS_PER_NETWORK_MAX", "MEET_WRONG_CALLS_PER_SITE_MAX"],
    whose: "everybody behind one address who has no right token",
    filled: "wrong tokens are refused",
    spared: "right ones, which are not counted",
    attack: [MEETS, "limits the calls with a wrong token per network and hour, and none with the right one"],
  },
  {
    names: ["PICTURE_DECLINES_MAX"],
    whose: "members who decline one sender's pictures",
    filled: "the sender asks in words first",
    spared: "senders whom accounts made for it decline",
    attack: [
      "messaging/messages/unsolicited-pictures.test.ts",
      "takes nothing from its sender when accounts made for it",
    ],
  },
  {
    names: ["JURY_POOL_RECENT_MAX", "JURY_POOL_CONTACT_MAX"],
    whose: "all members who could be drawn",
    filled: "staff decide instead of a jury",
    spared: "both sides: nobody is judged by a packed jury",
    attack: ["moderation/jury/packed-jury.test.ts", "is never drawn from a pool that is too small, emptied by a side"],
  },
  {
    names: ["CONSENSUS_GROUP_VOTES_MAX", "CONSENSUS_VOTES_MAX"],
    whose: "players of one network or week; all players of an item",
    filled: "further votes do not count; staff decide",
    spared: "the picture's owner",
    attack: ["games/vote-manipulation.test.ts", "count as at most two votes if they registered in the same week"],
  },
  {
    names: ["IP_RATE_LIMIT"],
    whose: "all visitors behind one address",
    filled: "429 for a minute",
    spared: "members whose session this isolate has seen",
    attack: ["platform/rate-limits/counting.test.ts", "ignores verified members until their session ends"],
  },
];
