import { PROFILE_NAME_SHOWN_CHARS } from "@lambda/contract/limits";
import { lettersOf } from "@lambda/ui/initial";

/** A profile name shortened to 12 letters as they are seen, so that no emoji or accent is torn apart. */
export const displayName = (name: string): string => lettersOf(name).slice(0, PROFILE_NAME_SHOWN_CHARS).join("");
