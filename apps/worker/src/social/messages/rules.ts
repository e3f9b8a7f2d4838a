/** Pure rules of chat. */
import { ageOf } from "@lambda/contract/birthdate";
import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import { FirstContact } from "@lambda/contract/messages";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { holdsUnwanted } from "./unwanted-words.ts";

/** What the guard knows of someone who writes for the first time. */
export interface Newcomer {
  readonly birthdate: string | null;
  /** Published position, or null. */
  readonly point: Point | null;
  readonly matched: boolean;
}

/** The member's wishes out of `account.preferences`; a broken value counts as none. */
export function firstContactOf(preferences: string): FirstContact {
  const stored = (JSON.parse(preferences) as { firstContact?: unknown }).firstContact;
  const parsed = FirstContact.safeParse(stored ?? {});
  return parsed.success ? parsed.data : FirstContact.parse({});
}

/** What stands between a member and one whom they may see, before they write. */
export interface Contact {
  /** Messages of theirs so far, counted up to the cap; null once the other wrote too. */
  readonly unanswered: number | null;
  readonly wishes: FirstContact;
  readonly from: Newcomer;
  /** What the other does not want to read first, and whether a message was kept from them for it. */
  readonly unwanted: readonly string[];
  readonly held: boolean;
  /** Where the other stands. */
  readonly point: Point | null;
}

/** Until the other answers, everything is a first contact: the other's wishes hold, and the number of messages is capped. */
export function mayWrite({ unanswered, wishes, from, point }: Contact, now: number): "yes" | "guarded" | "unanswered" {
  if (unanswered === null) return "yes";
  if (!mayWriteFirst(wishes, from, point, now)) return "guarded";
  return unanswered < UNANSWERED_MESSAGES_MAX ? "yes" : "unanswered";
}

/**
 * Whether a message is kept from the other. What follows one that was kept is kept too: a later one that arrives would tell its sender
 * of the first. An answer ends it.
 */
export function isFiltered({ unanswered, unwanted, held }: Contact, text: string): boolean {
  return unanswered !== null && (held || holdsUnwanted(text, unwanted));
}

/** Whether a newcomer may begin a conversation with a member of these wishes, who stands at `point`. A match always may. */
export function mayWriteFirst(wishes: FirstContact, from: Newcomer, point: Point | null, now: number): boolean {
  if (from.matched) return true;
  if (wishes.matchesOnly) return false;
  const age = ageOf(from.birthdate, now);
  if (wishes.ageMin !== null && (age === undefined || age < wishes.ageMin)) return false;
  if (wishes.ageMax !== null && (age === undefined || age > wishes.ageMax)) return false;
  if (wishes.distanceMaxMetres === null) return true;
  return from.point !== null && point !== null && distanceMeters(from.point, point) <= wishes.distanceMaxMetres;
}
