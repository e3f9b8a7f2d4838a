/** What an export would change here. Only what is empty is filled; nothing that the member has set is replaced. */

import { characteristicsFromBits } from "@lambda/contract/characteristics";
import type { ExportedData } from "@lambda/contract/exported";
import type { HealthPanel, HealthPanelUpdate } from "@lambda/contract/health";
import { PHRASES_MAX, TRIPS_MAX, UNWANTED_WORDS_MAX } from "@lambda/contract/limits";
import type { ChatPreferences } from "@lambda/contract/messages";
import { type NotificationKind, PROTECTED_NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { pick } from "@lambda/contract/pick";
import { EMPTY_TEXTS, PROFILE_TEXTS } from "@lambda/contract/profile-texts";
import type { Profile, ProfileUpdate } from "@lambda/contract/profiles";
import type { Trip, TripDraft } from "@lambda/contract/travel";
import { pointOfKey } from "@lambda/geo/curve";

export interface Present {
  readonly profile: Profile;
  readonly health: HealthPanel;
  readonly chat: ChatPreferences;
  readonly notificationsOff: readonly NotificationKind[];
  readonly discreet: boolean;
  readonly trips: readonly Trip[];
  /** The day that it is here, yyyy-mm-dd. */
  readonly today: string;
}

export const PROFILE_FIELDS = ["profilename", "birthdate", ...PROFILE_TEXTS, "characteristics"] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];
export const HEALTH_PARTS = ["hivStatus", "prep", "doxyPep", "vaccines", "lastTest", "reminderMonths"] as const;
export type HealthPart = (typeof HEALTH_PARTS)[number];
export type SettingPart = "firstContact" | "coverPictures" | "notifications" | "discreet";

interface Part<Name extends string, Change> {
  /** What will be filled. */
  readonly fills: readonly Name[];
  /** What differs and stays as it is here. */
  readonly left: readonly Name[];
  readonly change: Change;
}

export interface Plan {
  readonly profile: Part<ProfileField, ProfileUpdate>;
  readonly health: Part<HealthPart, HealthPanelUpdate>;
  readonly settings: Part<SettingPart, Partial<ChatPreferences>> & {
    readonly notificationsOff: NotificationKind[] | undefined;
  };
  /** Both lists as they will be; undefined if nothing is added. */
  readonly phrases: AddedLines;
  readonly words: AddedLines;
  readonly trips: { readonly added: readonly TripDraft[]; readonly left: number };
}

interface AddedLines {
  readonly added: readonly string[];
  /** How many have no room here. */
  readonly left: number;
  readonly list: string[];
}

export function planImport(data: ExportedData, present: Present): Plan {
  const { preferences } = data.account[0];
  return {
    profile: planProfile(data, present.profile),
    health: planHealth(data, present.health),
    settings: planSettings(data, present),
    phrases: addLines(present.chat.phrases, preferences.phrases, PHRASES_MAX),
    words: addLines(present.chat.unwantedWords, preferences.unwantedWords, UNWANTED_WORDS_MAX),
    trips: planTrips(data, present),
  };
}

function planProfile({ profile: [exported] }: ExportedData, present: Profile): Plan["profile"] {
  const values = {
    profilename: exported.profileName,
    birthdate: exported.birthdate,
    ...EMPTY_TEXTS,
    ...pick(exported, PROFILE_TEXTS),
    characteristics: characteristicsFromBits(exported.characteristics),
  } satisfies Record<ProfileField, unknown>;
  const { fills, left } = compare(PROFILE_FIELDS, values, present);
  // The server refuses what was filled elsewhere in the meantime.
  const was = { profilename: "", birthdate: null, characteristics: undefined, ...EMPTY_TEXTS };
  return { fills, left, change: fills.length === 0 ? {} : { ...pick(values, fills), was: pick(was, fills) } };
}

function planHealth({ health: [exported] }: ExportedData, present: HealthPanel): Plan["health"] {
  if (!exported) return { fills: [], left: [], change: {} };
  const { fills, left } = compare(HEALTH_PARTS, exported, present);
  return { fills, left, change: pick(exported, fills) };
}

function planSettings(data: ExportedData, { chat, notificationsOff, discreet }: Present): Plan["settings"] {
  const { preferences } = data.account[0];
  const fills: SettingPart[] = [];
  const left: SettingPart[] = [];
  const change: Partial<ChatPreferences> = {};
  const isOpen = Object.values(preferences.firstContact).every(isEmpty);
  if (!isOpen && !isSame(preferences.firstContact, chat.firstContact)) {
    if (Object.values(chat.firstContact).every(isEmpty)) {
      fills.push("firstContact");
      change.firstContact = preferences.firstContact;
    } else left.push("firstContact");
  }
  if (preferences.coverPictures !== chat.coverPictures && preferences.coverPictures !== "unknown") {
    if (chat.coverPictures === "unknown") {
      fills.push("coverPictures");
      change.coverPictures = preferences.coverPictures;
    } else left.push("coverPictures");
  }
  const off = [...new Set([...notificationsOff, ...preferences.notificationsOff])].filter(
    (kind) => !PROTECTED_NOTIFICATION_KINDS.includes(kind),
  );
  const addsOff = off.length > notificationsOff.length;
  if (addsOff) fills.push("notifications");
  if (data.profile[0].discreet === 1 && !discreet) fills.push("discreet");
  return { fills, left, change, notificationsOff: addsOff ? off : undefined };
}

/** Trips that are not over and not here yet. One that began goes on from today. */
function planTrips({ trips }: ExportedData, { trips: here, today }: Present): Plan["trips"] {
  const known = new Set(here.map(({ name, to }) => `${to} ${name}`));
  const fresh = trips.flatMap(({ name, key, dayFrom, dayTo: to }): TripDraft[] => {
    const mark = `${to} ${name}`;
    if (to < today || known.has(mark)) return [];
    known.add(mark);
    return [{ name, ...pointOfKey(key), from: dayFrom < today ? today : dayFrom, to }];
  });
  const added = fresh.slice(0, Math.max(0, TRIPS_MAX - here.length));
  return { added, left: fresh.length - added.length };
}

/** Lines that are here already, in any case of their letters, are not added again. */
function addLines(here: readonly string[], exported: readonly string[], max: number): AddedLines {
  const known = new Set(here.map((line) => line.toLowerCase()));
  const fresh = exported.flatMap((line) => {
    const key = line.toLowerCase();
    if (key === "" || known.has(key)) return [];
    known.add(key);
    return [line];
  });
  const added = fresh.slice(0, Math.max(0, max - here.length));
  return { added, left: fresh.length - added.length, list: [...here, ...added] };
}

function compare<Name extends string>(
  names: readonly Name[],
  exported: Readonly<Record<Name, unknown>>,
  here: Readonly<Record<Name, unknown>>,
): { fills: Name[]; left: Name[] } {
  const differing = names.filter((name) => !isEmpty(exported[name]) && !isSame(exported[name], here[name]));
  const fills = differing.filter((name) => isEmpty(here[name]));
  return { fills, left: differing.filter((name) => !fills.includes(name)) };
}

function isEmpty(value: unknown): boolean {
  const isUnset = value === null || value === "" || value === 0 || value === false;
  return isUnset || (Array.isArray(value) && value.length === 0);
}

function isSame(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return sorted(one) === sorted(other);
}
