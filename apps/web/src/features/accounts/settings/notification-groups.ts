import type { NotificationKind } from "@lambda/contract/notifications";

/** What a member switches together. Listed here because importing the contract's list would bundle its parser. */
export const NOTIFICATION_GROUPS = [
  { id: "messages", kinds: ["message"] },
  { id: "likes", kinds: ["match", "like", "album"] },
  { id: "games", kinds: ["game", "crop", "jury"] },
  { id: "health", kinds: ["reminder", "exposure"] },
  { id: "account", kinds: ["picture", "report", "appeal", "standing", "security"] },
] as const satisfies readonly { id: string; kinds: readonly NotificationKind[] }[];

export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

type Missing = Exclude<NotificationKind, NotificationGroup["kinds"][number]>;
/** Does not compile if a kind is missing above. */
true satisfies Missing extends never ? true : Missing;
