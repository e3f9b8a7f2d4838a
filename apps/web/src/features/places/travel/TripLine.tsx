import { currentLocale } from "../../../format/i18n.ts";
import { localToday } from "../../../format/local-today.ts";
import { useComingCopy } from "./coming-copy.ts";
import { formatTripDay, nextTripDate } from "./trip-days.ts";
import { useComingMembers } from "./use-coming-members.ts";

/** Says on a profile that the member has a trip to the viewer's area. */
export default function TripLine({ profileId }: { profileId: number }) {
  const copy = useComingCopy();
  const trip = useComingMembers().find((member) => member.profileId === profileId);
  if (!trip) return null;
  const today = localToday();
  const [label, day] = nextTripDate(trip, today);
  return <p>{copy.here(copy[label](formatTripDay(day, currentLocale(), today)))}</p>;
}
