import type { VisitingMember } from "@lambda/contract/travel";
import { Link } from "@lambda/ui/link";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { pictureSource } from "../../../api/picture-url.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { displayName } from "../../../format/display-name.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { localToday } from "../../../format/local-today.ts";
import { useComingCopy } from "./coming-copy.ts";
import css from "./travel.module.css";
import { formatTripDay, nextTripDate } from "./trip-days.ts";

const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";

/** Members with a trip to the viewer's area, before they arrive and while they are there. */
export default function ComingStrip({ members }: { members: readonly VisitingMember[] }) {
  const copy = useComingCopy();
  const [nsfw] = useNsfw();
  const today = localToday();
  return (
    <section aria-label={copy.title}>
      <div className={`flex gap-3 between align-baseline ${css.coming}`}>
        <h2 className="type-lead">{copy.title}</h2>
        <Link href="/travel">{copy.mine}</Link>
      </div>
      <TileGrid label={copy.title}>
        {members.map((member) => {
          const [label, day] = nextTripDate(member, today);
          return (
            <Tile
              key={member.profileId}
              href={`/profile/${member.profileId}`}
              name={displayName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              distance={copy[label](formatTripDay(day, currentLocale(), today))}
              {...(member.profilePicId !== null && { src: pictureSource(member.profilePicId, nsfw) })}
              sizes={SIZES}
            />
          );
        })}
      </TileGrid>
    </section>
  );
}
