/** Who may write to whom: rules without a database. */
import { ageOf } from "@lambda/contract/birthdate";
import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { FirstContact } from "@lambda/contract/messages";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { containsUnwantedWord } from "./unwanted-words.ts";

/** What is known of a member who writes for the first time. */
export interface FirstTimeSender {
  readonly birthdate: string | null;
  /** Published position, or null. */
  readonly point: Point | null;
  readonly matched: boolean;
  readonly checked: boolean;
}

/** The member's first-contact limits from `account.preferences`; an invalid value counts as no limits. */
export function firstContactOf(preferences: string): FirstContact {
  const stored = (JSON.parse(preferences) as { firstContact?: unknown }).firstContact;
  const parsed = FirstContact.safeParse(stored ?? {});
  return parsed.success ? parsed.data : FirstContact.parse({});
}

/** What decides whether a sender may write to a recipient whom they may see. */
export interface Contact {
  /** Number of the sender's messages, counted up to the cap; null once the recipient has replied. */
  readonly unanswered: number | null;
  readonly limits: FirstContact;
  readonly from: FirstTimeSender;
  /** The recipient's unwanted words, and whether a message of this sender was filtered before. */
  readonly unwanted: readonly string[];
  readonly hasFiltered: boolean;
  readonly point: Point | null;
}

/** Until the recipient replies, every message is a first contact: the recipient's limits apply, and the number of messages is capped. */
export function checkContact(
  { unanswered, limits, from, point }: Contact,
  now: number,
): "allowed" | "outside limits" | "unanswered" {
  if (unanswered === null) return "allowed";
  if (!canWriteFirst(limits, from, point, now)) return "outside limits";
  return unanswered < UNANSWERED_MESSAGES_MAX ? "allowed" : "unanswered";
}

/**
 * Whether a message is filtered. Until the recipient replies, all messages after a filtered one are filtered too: if a later one were
 * delivered, its sender would notice that the first was not.
 */
export function isFiltered({ unanswered, unwanted, hasFiltered }: Contact, text: string): boolean {
  return unanswered !== null && (hasFiltered || containsUnwantedWord(text, unwanted));
}

/** Whether a member may start a conversation with a recipient who has these limits and is at `point`. A match always may. */
export function canWriteFirst(limits: FirstContact, from: FirstTimeSender, point: Point | null, now: number): boolean {
  if (from.matched) return true;
  if (limits.matchesOnly) return false;
  if (limits.checkedOnly && !from.checked) return false;
  const age = ageOf(from.birthdate, now);
  if (limits.ageMin !== null && (age === undefined || age < limits.ageMin)) return false;
  if (limits.ageMax !== null && (age === undefined || age > limits.ageMax)) return false;
  if (limits.distanceMaxMetres === null) return true;
  return from.point !== null && point !== null && distanceMeters(from.point, point) <= limits.distanceMaxMetres;
}
