import { WELCOME_STEPS } from "../../../device/welcome-step.ts";

/** The first step whose answer the server lacks, for a device without stored progress. */
export function firstStep(profile: {
  readonly profilename: string;
  readonly birthdate: string | null;
  readonly profilePicIds: readonly number[];
}): number {
  if (profile.profilename === "" || profile.birthdate === null) return WELCOME_STEPS.indexOf("name");
  return WELCOME_STEPS.indexOf(profile.profilePicIds.length === 0 ? "picture" : "place");
}
