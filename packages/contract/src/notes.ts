import { z } from "zod";
import { NOTE_SEARCH_MAX_CHARS, PRIVATE_TAG_MAX_CHARS, PRIVATE_TAGS_MAX } from "./limits.ts";
import { Id, ListCursor, SingleLine, Time, TrimmedText } from "./primitives.ts";

/** The private tag of members whom the author starred. One text in every language: a tag is stored as it is shown. */
export const STAR_TAG = "★";

const PrivateTag = SingleLine.min(1).max(PRIVATE_TAG_MAX_CHARS);

/** A member's private note about another. Only its author can read it. */
export const ProfileNote = z.object({
  authorProfileId: Id,
  aboutProfileId: Id,
  bodyText: z.string(),
  privateTags: z.array(z.string()),
});
export type ProfileNote = z.infer<typeof ProfileNote>;

export const ProfileNoteUpdate = z.object({
  authorProfileId: Id.optional(),
  aboutProfileId: Id,
  bodyText: TrimmedText.optional(),
  privateTags: z
    .array(PrivateTag)
    .max(PRIVATE_TAGS_MAX)
    .refine((tags) => new Set(tags).size === tags.length, { message: "the same tag twice" })
    .optional(),
});

/** A note in the list of all notes. */
export const ListedNote = ProfileNote.extend({
  /** null: the member it is about is not visible. The author keeps the note. */
  about: z
    .object({ profileName: z.string(), profileAge: z.number().nullable(), profilePicIds: z.array(Id) })
    .nullable(),
  tsUpdated: Time,
});
export type ListedNote = z.infer<typeof ListedNote>;

/** GET /api/profile-notes. `text` searches note texts and tags, ignoring case and accents. */
export const NotesQuery = z.object({
  authorProfileId: Id.optional(),
  text: SingleLine.max(NOTE_SEARCH_MAX_CHARS).optional(),
  tag: SingleLine.max(PRIVATE_TAG_MAX_CHARS).optional(),
  cursor: ListCursor.optional(),
});

export const PrivateTagCount = z.object({ tag: z.string(), count: z.number().int() });
