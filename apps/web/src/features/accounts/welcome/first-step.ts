import { WELCOME_STEPS } from "../../../device/welcome-step.ts";

/** The first step whose answer the server lacks, for a device without stored progress. */
export function firstStep(
  profile: {
    readonly profilename: string;
    readonly birthdate: string | null;
    readonly profilePicIds: readonly number[];
  },
  session: { readonly sharingChosen: boolean },
): number {
  if (profile.profilename === "" || profile.birthdate === null) return WELCOME_STEPS.indexOf("name");
  if (profile.profilePicIds.length === 0) return WELCOME_STEPS.indexOf("picture");
  return session.sharingChosen ? WELCOME_STEPS.indexOf("place") : WELCOME_STEPS.indexOf("sharing");
}
