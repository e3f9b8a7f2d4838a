import { isolate } from "@lambda/contract/isolate";
import type { NearbyBrief } from "@lambda/contract/positions";
import { initialOf } from "@lambda/ui/initial";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../../../api/picture-url.ts";
import { useNsfw } from "../../../../device/nsfw.ts";
import { displayName } from "../../../../format/display-name.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { isOnline } from "../../../../format/is-online.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { useCardCopy } from "./copy.ts";
import css from "./swype.module.css";

/** A member's picture with name, age, distance and characteristics. Shows the verdict while it is dragged. */
export function SwypeCard({ member, isNew }: { member: NearbyBrief; isNew: boolean }) {
  const copy = useCardCopy();
  const { tagName } = useTagNames();
  const [nsfw] = useNsfw();
  const distance = useFormatDistance()(member.distanceMeters);
  const picture = member.profilePicIds[0];
  const name = displayName(member.profileName);
  const summary = [isolate(name), member.profileAge, distance, isNew && copy.isNew].filter(Boolean).join(", ");
  return (
    <article className={`cover ${css.card}`} aria-label={copy.card(summary)}>
      <Picture
        alt=""
        className={css.picture}
        initial={initialOf(member.profileName)}
        sizes="(width < 34rem) 100vw, 34rem"
        eager
        {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
      />
      <span className={css.like} aria-hidden="true">
        {copy.judged.LIKE}
      </span>
      <span className={css.dislike} aria-hidden="true">
        {copy.judged.DISLIKE}
      </span>
      <span className={css.skipped} aria-hidden="true">
        {copy.skip}
      </span>
      <div className={css.words} aria-hidden="true">
        <p className={`bold font-display truncate ${css.name}`} dir="auto">
          {name}
          {member.profileAge !== null && <span className="regular"> {member.profileAge}</span>}
        </p>
        <p className={css.facts}>
          {isNew && <span className={`bold ${css.new}`}>{copy.isNew}</span>}
          {isOnline(member) && <span className={`bold ${css.online}`}>{copy.online}</span>}
          {[distance, member.profileHeight, member.profileWeight].filter(Boolean).join(" · ")}
        </p>
        {member.profileChars.length > 0 && (
          <p className={`type-mark ${css.tags}`}>{member.profileChars.slice(0, 6).map(tagName).join(" · ")}</p>
        )}
      </div>
    </article>
  );
}
