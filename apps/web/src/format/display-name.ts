import { PROFILE_NAME_SHOWN_CHARS } from "@lambda/contract/limits";

/** A profile name shortened to 12 characters. Counts code points, so no surrogate pair is split. */
export const displayName = (name: string): string => [...name].slice(0, PROFILE_NAME_SHOWN_CHARS).join("");
