import type { ProfileBrief } from "@lambda/contract/profiles";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { useMemo, useRef } from "react";
import { pictureSource } from "../../api/picture-url.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { displayName } from "../../format/display-name.ts";
import { useFormatDistance } from "../../format/distance.ts";
import { useCopy } from "../../format/i18n.ts";
import { isOnline } from "../../format/is-online.ts";
import { memberTileCopy } from "./copy.ts";
import { openProfileOnClick } from "./profile-transition.ts";
import { useDistances } from "./use-distances.ts";
import { useMarks } from "./use-marks.ts";
import { usePreviews } from "./use-previews.ts";
import { useTileWindow } from "./use-tile-window.ts";

export type TileMember = ProfileBrief & {
  readonly distanceMeters?: number | null;
  /** The picture to show instead of the first. */
  readonly profilePicId?: number | undefined;
};

/** A tile is about an eighth of the width of a wide window and a quarter of a phone's. */
const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";
const FIRST_ROWS = 12;

/** A grid of member pictures without margins; only tiles near the viewport are rendered. */
export function MemberTiles({
  members,
  label,
  hrefOf,
}: {
  members: readonly TileMember[];
  label: string;
  hrefOf?: (member: TileMember) => string;
}) {
  const copy = useCopy(memberTileCopy);
  const formatDistance = useFormatDistance();
  const [nsfw] = useNsfw();
  const box = useRef<HTMLDivElement>(null);
  const shown = useTileWindow(box, members.length);
  const ids = useMemo(() => members.map(({ profileId }) => profileId), [members]);
  // Search results include the distance; lists of likes do not.
  const lacksDistance = members[0]?.distanceMeters === undefined;
  const distanceTo = useDistances(lacksDistance ? ids : [], shown.from, shown.to);
  const marks = useMarks(ids, shown.from, shown.to);
  const previewOf = usePreviews(ids, shown.from, shown.to);
  return (
    <div ref={box} style={{ paddingTop: shown.paddingTop, paddingBottom: shown.paddingBottom }}>
      <TileGrid label={label}>
        {members.slice(shown.from, shown.to).map((member, index) => {
          const picture = member.profilePicId ?? member.profilePicIds[0];
          const distance = formatDistance(member.distanceMeters ?? distanceTo(member.profileId));
          return (
            <Tile
              key={`${member.profileId}-${member.profilePicId ?? ""}`}
              href={hrefOf?.(member) ?? `/profile/${member.profileId}`}
              // Only the profile's first picture can expand into the profile's hero picture.
              {...(!hrefOf &&
                member.profilePicId === undefined && { onClick: (event) => openProfileOnClick(event, member) })}
              name={displayName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              {...(distance !== undefined && { distance })}
              {...(isOnline(member) && { online: copy.online })}
              {...(marks.unread.has(member.profileId) && { unread: copy.unread })}
              {...(marks.liked.has(member.profileId) && { liked: copy.liked })}
              {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
              sizes={SIZES}
              eager={shown.from + index < FIRST_ROWS}
              // Every rendered tile is in the viewport or near it.
              prefetch
              {...previewOf(picture)}
            />
          );
        })}
      </TileGrid>
    </div>
  );
}
