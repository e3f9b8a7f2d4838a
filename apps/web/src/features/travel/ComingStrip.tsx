import type { ComingMember } from "@lambda/contract/travel";
import { Link } from "@lambda/ui/link";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { pictureSource } from "../../api/picture-url.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { shownName } from "../../format/shown-name.ts";
import css from "./coming.module.css";
import { comingCopy } from "./coming-copy.ts";
import { dayName, nextDay, todayHere } from "./trip-days.ts";

const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";

/** Members on a trip to here, before they come and while they are here. */
export default function ComingStrip({ members }: { members: readonly ComingMember[] }) {
  const copy = useCopy(comingCopy);
  const [locale] = useLocale();
  const [nsfw] = useNsfw();
  const today = todayHere();
  return (
    <section aria-label={copy.title}>
      <div className={css.head}>
        <h2>{copy.title}</h2>
        <Link href="/travel">{copy.mine}</Link>
      </div>
      <TileGrid label={copy.title}>
        {members.map((member) => {
          const [word, day] = nextDay(member, today);
          return (
            <Tile
              key={member.profileId}
              href={`/profile/${member.profileId}`}
              name={shownName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              distance={copy[word](dayName(day, locale, today))}
              {...(member.profilePicId !== null && { src: pictureSource(member.profilePicId, nsfw) })}
              sizes={SIZES}
            />
          );
        })}
      </TileGrid>
    </section>
  );
}
