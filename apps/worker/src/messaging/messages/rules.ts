/** Who may write to whom: rules without a database. */
import { ageOf } from "@lambda/contract/birthdate";
import { UNANSWERED_MESSAGES_MAX } from "@lambda/contract/limits";
import type { FirstContact } from "@lambda/contract/messages";
import { lookalikeWords } from "@lambda/contract/names";
import { distanceMeters, type Point } from "@lambda/geo/distance";

/** What is known of a member who writes for the first time. */
export interface FirstTimeSender {
  readonly birthdate: string | null;
  /** Published position, or null. */
  readonly point: Point | null;
  readonly matched: boolean;
  readonly checked: boolean;
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

/** Whether a text contains one of the words as a whole word. Ignores case, accents and invisible characters, and reads 0 as o. */
export function containsUnwantedWord(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  // Some symbols may stand for a letter or separate words, so both readings are tried.
  const plain = withoutInvisible(text);
  const readings = [lookalikeWords(plain), lookalikeWords(plain.replace(/[!|$@€¢]/g, " "))].map(
    (found) => ` ${found.join(" ")} `,
  );
  return words.some((word) => {
    const target = lookalikeWords(withoutInvisible(word)).join(" ");
    return target !== "" && readings.some((reading) => reading.includes(` ${target} `));
  });
}

const withoutInvisible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
