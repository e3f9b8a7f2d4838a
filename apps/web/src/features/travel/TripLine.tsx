import { useCopy, useLocale } from "../../format/i18n.ts";
import { comingCopy } from "./coming-copy.ts";
import { dayName, nextDay, todayHere } from "./trip-days.ts";
import { useComing } from "./use-coming.ts";

/** On a profile: that the member comes to where the viewer is, or is there on a trip. */
export default function TripLine({ profileId }: { profileId: number }) {
  const copy = useCopy(comingCopy);
  const [locale] = useLocale();
  const trip = useComing().find((member) => member.profileId === profileId);
  if (!trip) return null;
  const today = todayHere();
  const [word, day] = nextDay(trip, today);
  return <p>{copy.here(copy[word](dayName(day, locale, today)))}</p>;
}
