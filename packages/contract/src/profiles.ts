import { z } from "zod";
import { CHARACTERISTICS } from "./characteristics.ts";
import { SharedHealth } from "./health.ts";
import { PICTURES_PER_PROFILE_MAX, PROFILE_NAME_MAX_CHARS } from "./limits.ts";
import { MetBy } from "./met.ts";
import { findNameProblem, type NameProblem, normalizeName } from "./names.ts";
import { Day, Id, LongText, SingleLine, Time } from "./primitives.ts";
import { mapTexts } from "./profile-texts.ts";
import { ProfileVoice } from "./voices.ts";

/** Case-insensitive on arrival. */
export const Characteristic = z.preprocess(
  (tag) => (typeof tag === "string" ? tag.trim().toLowerCase() : tag),
  z.enum(CHARACTERISTICS),
);

/** The free texts as they arrive. */
export const ProfileTexts = z.object(
  mapTexts(({ place, maxChars }) => (place === "fact" ? SingleLine : LongText).max(maxChars)),
);
const StoredTexts = z.object(mapTexts(() => z.string()));

/** A profile as its owner or another member sees it. */
export const Profile = z.object({
  id: Id,
  profilename: z.string(),
  birthdate: z.string().nullable(),
  age: z.number().nullable(),
  ...StoredTexts.shape,
  characteristics: z.array(z.string()),
  profilePicIds: z.array(Id),
  /** Empty unless the viewer is the owner or was granted the private album. */
  profilePicIdsPrivate: z.array(Id).default([]),
  /** null if there is none or the viewer may not hear it. */
  voice: ProfileVoice.nullable(),
  roles: z.array(z.string()),
  tsUpdated: Time,
});
export type Profile = z.infer<typeof Profile>;

/** Error messages for API clients; the web has its own translated texts. */
const NAME_REFUSALS: Readonly<Record<NameProblem, string>> = {
  empty: "name is required",
  invisible: "the name holds characters that nobody sees",
  marks: "the name has too many marks on one letter",
  letterless: "the name needs a letter or a digit",
  reserved: "the name looks like that of the site or of its staff",
};

const ProfileName = z
  .string()
  .overwrite(normalizeName)
  .max(PROFILE_NAME_MAX_CHARS)
  .check(({ value, issues }) => {
    const problem = findNameProblem(value);
    if (problem) issues.push({ code: "custom", message: NAME_REFUSALS[problem], input: value });
  });

/**
 * PUT /api/profile, where absent fields and tags remain unchanged and `was` detects text changed elsewhere (409 CONFLICT), so that two
 * tabs never undo each other. Unknown picture ids are rejected and missing ones stay at the end, because pictures are added and deleted
 * by other calls.
 */
export const ProfileUpdate = z.object({
  id: Id.optional(),
  profilename: ProfileName.optional(),
  birthdate: Day.nullable().optional(),
  ...ProfileTexts.partial().shape,
  characteristics: z.array(Characteristic).max(CHARACTERISTICS.length).optional(),
  characteristicsAdd: z.array(Characteristic).max(CHARACTERISTICS.length).optional(),
  characteristicsRemove: z.array(Characteristic).max(CHARACTERISTICS.length).optional(),
  profilePicIds: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
  profilePicIdsPrivate: z.array(Id).max(PICTURES_PER_PROFILE_MAX).optional(),
  /** The previous values of the changed fields, as the client last saw them. */
  was: z
    .object({ profilename: z.string(), birthdate: z.string().nullable(), ...StoredTexts.shape })
    .partial()
    .optional(),
});
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

/** A member in a list. `lat` and `lon` are the published position, never a raw one. */
export const ProfileBrief = z.object({
  profileId: Id,
  session: z.number().int(),
  profileName: z.string(),
  profileAge: z.number().nullable(),
  profileChars: z.array(z.string()),
  profileWeight: z.string(),
  profileHeight: z.string(),
  profilePicIds: z.array(Id),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  /** Rounded to 15 minutes. */
  tsUpdated: Time,
});
export type ProfileBrief = z.infer<typeof ProfileBrief>;

/** The relation between the viewer and a member: everything that View Profile shows in addition to the profile itself. */
export const ProfileRelation = z.object({
  profileId: Id,
  /** The viewer's like of this member, if any. */
  likeType: z.enum(["LIKE", "DISLIKE", "UNDETERMINED", "ERROR"]).nullable(),
  likesYou: z.boolean(),
  match: z.boolean(),
  metBy: MetBy,
  online: z.boolean(),
  /** The time that searches show, too: rounded, and frozen while the member hides. */
  tsSeen: Time,
  /** Between published positions; null if either is missing. */
  distanceMeters: z.number().nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  health: SharedHealth,
});
export type ProfileRelation = z.infer<typeof ProfileRelation>;
