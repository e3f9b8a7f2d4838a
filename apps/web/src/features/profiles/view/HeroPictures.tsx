import type { Profile } from "@lambda/contract/profiles";
import { initialOf } from "@lambda/ui/initial";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { previewFromList, SHARED_PICTURE } from "../../../components/MemberTile/profile-transition.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { carouselPath } from "../../../routing/paths.ts";
import { useProfileCopy } from "../copy.ts";
import css from "./hero-pictures.module.css";

/** The public pictures at full width in a horizontal strip; a tap opens the carousel. */
export function HeroPictures({ profile }: { profile: Profile }) {
  const copy = useProfileCopy();
  const [nsfw] = useNsfw();
  const [currentIndex, setCurrentIndex] = useState(0);
  const ids = profile.profilePicIds;
  const initial = initialOf(profile.profilename);
  const preview = previewFromList(profile.id);
  if (ids.length === 0) return <Picture alt="" initial={initial} transitionName={SHARED_PICTURE} />;
  return (
    <div className="relative">
      <div
        className={`flex ${css.strip}`}
        data-strip={ids.length > 1 || undefined}
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget;
          setCurrentIndex(Math.round(scrollLeft / Math.max(1, clientWidth)));
        }}
      >
        {ids.map((id, index) => (
          <Link key={id} className={css.picture} href={carouselPath(profile.id, id, ids)}>
            <Picture
              src={pictureSource(id, nsfw)}
              alt={copy.picture(index + 1, ids.length)}
              initial={initial}
              sizes="(width < 60rem) 100vw, 36rem"
              eager={index === 0}
              {...(index === 0 && { transitionName: SHARED_PICTURE, ...(preview && { preview }) })}
            />
          </Link>
        ))}
      </div>
      <AgeNotice />
      {ids.length > 1 && (
        <div className={`flex no-pointer gap-1 ${css.dots}`} aria-hidden="true">
          {ids.map((id, index) => (
            <span key={id} className={`grow ${css.dot}`} data-here={index === currentIndex || undefined} />
          ))}
        </div>
      )}
    </div>
  );
}
