/** Pure rules of chat. */
import { ageOf } from "@lambda/contract/birthdate";
import { distanceMetres, type Point } from "@lambda/contract/grid";
import { FirstContact } from "@lambda/contract/messages";

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

/** Whether a newcomer may begin a conversation with a member of these wishes, who stands at `point`. A match always may. */
export function mayWriteFirst(wishes: FirstContact, from: Newcomer, point: Point | null, now: number): boolean {
  if (from.matched) return true;
  if (wishes.matchesOnly) return false;
  const age = ageOf(from.birthdate, now);
  if (wishes.ageMin !== null && (age === undefined || age < wishes.ageMin)) return false;
  if (wishes.ageMax !== null && (age === undefined || age > wishes.ageMax)) return false;
  if (wishes.distanceMaxMetres === null) return true;
  return from.point !== null && point !== null && distanceMetres(from.point, point) <= wishes.distanceMaxMetres;
}

/** An opening text without what a spammer varies: case, spaces, punctuation, digits. */
export function openingOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
