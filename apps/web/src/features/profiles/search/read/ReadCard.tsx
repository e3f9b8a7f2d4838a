import { PROFILE_CACHE_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { initialOf, longestWordEms } from "@lambda/ui/initial";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { type MouseEvent, useId } from "react";
import { pictureSource } from "../../../../api/picture-url.ts";
import { trpc } from "../../../../api/trpc.ts";
import { openProfileOnClick } from "../../../../components/MemberTile/profile-transition.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useNsfw } from "../../../../device/nsfw.ts";
import { displayName } from "../../../../format/display-name.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { isOnline } from "../../../../format/is-online.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { optionalPart } from "../../../../routing/optional-part.tsx";
import { carouselPath } from "../../../../routing/paths.ts";
import { useProfileCopy } from "../../copy.ts";
import { useCardCopy } from "../cards/copy.ts";
import css from "./read.module.css";

const VoiceIntroduction = optionalPart(() => import("../../../../components/Voice/VoiceIntroduction.tsx"));

interface ReadCardProps {
  member: NearbyBrief;
  members: readonly NearbyBrief[];
  isNew: boolean;
  position: number;
  /** -1 if not known yet. */
  total: number;
}

export function ReadCard({ member, members, isNew, position, total }: ReadCardProps) {
  const copy = useCardCopy();
  const { tagName } = useTagNames();
  const [nsfw] = useNsfw();
  const id = useId();
  const profile = trpc.profiles.get.useQuery({ id: member.profileId }, { staleTime: PROFILE_CACHE_MS });
  const picture = member.profilePicIds[0];
  const href = `/profile/${member.profileId}`;
  const open = (event: MouseEvent<HTMLElement>) => openProfileOnClick(event, member, members);
  return (
    <article
      className={`stack gap-4 ruled-below relative ${css.card}`}
      aria-labelledby={id}
      aria-posinset={position}
      aria-setsize={total}
    >
      <Link href={href} className={css.picture} tabIndex={-1} aria-hidden="true" onClick={open}>
        <Picture
          alt=""
          initial={initialOf(member.profileName)}
          sizes="(width < 600px) 32vw, 220px"
          eager={position <= 3}
          {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
        />
      </Link>
      <div className="stack gap-2 content-start min-0 measure one-column">
        <h2 id={id}>
          <Link
            href={href}
            className={`break-anywhere ${css.name}`}
            style={{ "--ems": longestWordEms(displayName(member.profileName)) } as object}
            onClick={open}
          >
            {displayName(member.profileName)}
            {member.profileAge !== null && <span className="regular"> {member.profileAge}</span>}
          </Link>
        </h2>
        <Facts member={member} isNew={isNew} />
        {profile.data ? (
          <p className="break-anywhere pre-line">{profile.data.description || copy.noText}</p>
        ) : (
          // Above the link that covers the card.
          <div className="relative">
            <QueryState compact query={profile} width="80%" height="3em" />
          </div>
        )}
        {profile.data?.voice && <VoiceIntroduction key={profile.data.voice.id} voice={profile.data.voice} />}
        {member.profileChars.length > 0 && (
          <ChipRow>
            {member.profileChars.map((tag) => (
              <Chip key={tag} label={tagName(tag)} />
            ))}
          </ChipRow>
        )}
        <MorePictures member={member} />
      </div>
    </article>
  );
}

function Facts({ member, isNew }: Pick<ReadCardProps, "member" | "isNew">) {
  const copy = useCardCopy();
  const distance = useFormatDistance()(member.distanceMeters);
  const size = [member.profileHeight, member.profileWeight].filter(Boolean).join(" · ");
  return (
    <p className={`wrap muted break-anywhere ${css.facts}`}>
      {isNew && <span className="accent bold">{copy.isNew}</span>}
      {isOnline(member) && <span className="success bold">{copy.online}</span>}
      {distance && <span>{distance}</span>}
      {size && <span>{size}</span>}
    </p>
  );
}

/** The public pictures after the first, each of which opens at full size. */
function MorePictures({ member: { profileId, profilePicIds: ids } }: { member: NearbyBrief }) {
  const { picture } = useProfileCopy();
  const [nsfw] = useNsfw();
  if (ids.length < 2) return null;
  return (
    <div className={`wrap gap-hair ${css.more}`}>
      {ids.slice(1).map((id, at) => (
        <Link key={id} href={carouselPath(profileId, id, ids)} aria-label={picture(at + 2, ids.length)}>
          <Picture alt="" initial=" " sizes="80px" src={pictureSource(id, nsfw)} />
        </Link>
      ))}
    </div>
  );
}
