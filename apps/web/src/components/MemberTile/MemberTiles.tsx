import type { ProfileBrief } from "@lambda/contract/profiles";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { useMemo, useRef } from "react";
import { pictureSource } from "../../api/picture-url.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { useGlanceDistance } from "../../format/distance.ts";
import { useCopy } from "../../format/i18n.ts";
import { isOnline } from "../../format/is-online.ts";
import { shownName } from "../../format/shown-name.ts";
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

/** One tile is about an eighth of a wide window and a quarter of a phone's. */
const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";
const FIRST_ROWS = 12;

/** Members as pictures from edge to edge; only those near the window are in the page. */
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
  const distance = useGlanceDistance();
  const [nsfw] = useNsfw();
  const box = useRef<HTMLDivElement>(null);
  const shown = useTileWindow(box, members.length);
  const ids = useMemo(() => members.map(({ profileId }) => profileId), [members]);
  // Searches tell the distance; lists of likes do not.
  const unknown = members[0]?.distanceMeters === undefined;
  const distanceTo = useDistances(unknown ? ids : [], shown.from, shown.to);
  const marks = useMarks(ids, shown.from, shown.to);
  const previewOf = usePreviews(ids, shown.from, shown.to);
  return (
    <div ref={box} style={{ paddingTop: shown.before, paddingBottom: shown.after }}>
      <TileGrid label={label}>
        {members.slice(shown.from, shown.to).map((member, index) => {
          const picture = member.profilePicId ?? member.profilePicIds[0];
          const shownDistance = distance(member.distanceMeters ?? distanceTo(member.profileId));
          return (
            <Tile
              key={`${member.profileId}-${member.profilePicId ?? ""}`}
              href={hrefOf?.(member) ?? `/profile/${member.profileId}`}
              // A picture that is not the profile's first must not grow into it.
              {...(!hrefOf &&
                member.profilePicId === undefined && { onClick: (event) => openProfileOnClick(event, member) })}
              name={shownName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              {...(shownDistance !== undefined && { distance: shownDistance })}
              {...(isOnline(member) && { online: copy.online })}
              {...(marks.unread.has(member.profileId) && { unread: copy.unread })}
              {...(marks.liked.has(member.profileId) && { liked: copy.liked })}
              {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
              sizes={SIZES}
              eager={shown.from + index < FIRST_ROWS}
              // What is in the page at all is in the window or near it.
              soon
              {...previewOf(picture)}
            />
          );
        })}
      </TileGrid>
    </div>
  );
}
