/**
 * Every kind of notification and how it is pushed: the one place that says so. Without a parser, because the settings' first screen imports
 * it. The service worker cannot import it, so each push carries what it needs.
 */
import { DAY_MS, HOUR_MS, PUSH_MAX_AGE_MS } from "./limits.ts";

/** What members switch together. Kinds share a switch only if they mean the same to a member. */
export const NOTIFICATION_GROUPS = ["messages", "likes", "games", "tests", "exposure", "account"] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

export interface NotificationRules {
  /** Its icon in the list, by its name in `packages/ui`. */
  readonly icon: string;
  /** The switch that turns it off; null: what protects a member cannot be turned off. */
  readonly group: NotificationGroup | null;
  /**
   * It protects the member: it goes to the devices of every brand, whether or not a page is open, is heard beside a visible page and in the
   * place of an earlier one, stays until it is dismissed, and keeps a tag of its own under a disguise.
   */
  readonly alarm: boolean;
  /** A sleeping phone gets `normal` pushes minutes to an hour late. */
  readonly urgency: "normal" | "high";
  /** A push that waited longer is dropped. Each kind has a topic and a tag of its own, so only one of the same kind replaces it. */
  readonly ttlMs: number;
  /** Where a press leads. */
  readonly url: string;
  /** It is listed and pushed only on the brand of the event; all others are about the account, or a member whom a sister brand may show too. */
  readonly brandOnly: boolean;
  /** It is pushed also during a stay that mutes pushes. */
  readonly sentInMutedStay: boolean;
}

const NEWS = {
  alarm: false,
  urgency: "normal",
  ttlMs: PUSH_MAX_AGE_MS,
  url: "/notifications",
  brandOnly: false,
  sentInMutedStay: false,
} as const;

/** The lock screen shows the site's name and the kind's text in `pushCopy`; a disguised device the disguise's name and one text for all. */
export const NOTIFICATION_KINDS = {
  match: { ...NEWS, icon: "heart-filled", group: "likes" },
  like: { ...NEWS, icon: "heart", group: "likes" },
  message: { ...NEWS, icon: "chat", group: "messages", urgency: "high", url: "/chat/personal" },
  picture: { ...NEWS, icon: "picture", group: "account" },
  crop: { ...NEWS, icon: "crop", group: "games" },
  album: { ...NEWS, icon: "unlock", group: "likes" },
  report: { ...NEWS, icon: "flag", group: "account" },
  appeal: { ...NEWS, icon: "scales", group: "account" },
  jury: { ...NEWS, icon: "scales", group: "games", brandOnly: true },
  exposure: { ...NEWS, icon: "health", group: "exposure" },
  /** A measure against the member, who has a limited time to appeal. */
  standing: { ...NEWS, icon: "shield", group: null, ttlMs: 7 * DAY_MS },
  game: { ...NEWS, icon: "games", group: "games", brandOnly: true },
  /** Of the next test. */
  reminder: { ...NEWS, icon: "health", group: "tests" },
  /** Of a plan with a friend, who is alarmed minutes later. An alarm that was raised can be answered for a day. */
  plan: {
    ...NEWS,
    icon: "bell",
    group: null,
    alarm: true,
    urgency: "high",
    url: "/notifications#plan",
    sentInMutedStay: true,
  },
  security: { ...NEWS, icon: "lock", group: null, alarm: true, urgency: "high", ttlMs: 7 * DAY_MS },
} as const satisfies Record<string, NotificationRules>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

export const notificationRules = (kind: NotificationKind): NotificationRules => NOTIFICATION_KINDS[kind];

const kindsWith = (test: (rules: NotificationRules) => boolean) =>
  (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) => test(notificationRules(kind)));

export const BRAND_NOTIFICATION_KINDS = kindsWith(({ brandOnly }) => brandOnly);
/** Ignored where they are stored as turned off, which was possible once. */
export const PROTECTED_NOTIFICATION_KINDS = kindsWith(({ group }) => group === null);
export const kindsOfGroup = (group: NotificationGroup) => kindsWith((rules) => rules.group === group);

/** The push to a friend's device when a plan is raised. Its own worker shows it aloud until it is dismissed, and opens the plan's page. */
export const FRIEND_ALARM = { urgency: "high", ttlMs: 6 * HOUR_MS } as const;
