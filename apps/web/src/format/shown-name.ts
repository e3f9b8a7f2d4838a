import { PROFILE_NAME_SHOWN_CHARS } from "@lambda/contract/limits";

/** A profile name as screens show it: cut to 12 characters, never through one. */
export function shownName(name: string): string {
  return [...name].slice(0, PROFILE_NAME_SHOWN_CHARS).join("");
}
