import type { ProfileBrief } from "@lambda/contract/profiles";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { useRef } from "react";
import { useDistance } from "../../../lib/distance.ts";
import { useCopy } from "../../../lib/i18n.ts";
import { useNsfw } from "../../../lib/nsfw.ts";
import { pictureSource } from "../../../lib/picture-url.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { searchCopy } from "../copy.ts";
import { useGrowInto } from "../useGrowInto.ts";
import { isOnline } from "../useNearest.ts";
import { useTileWindow } from "../useTileWindow.ts";

export type TileMember = ProfileBrief & {
  readonly distanceMeters?: number | null;
  /** The picture to show instead of his first. */
  readonly profilePicId?: number | undefined;
};

/** One tile is about an eighth of a wide window and a quarter of a phone's. */
const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";
const FIRST_ROWS = 12;

/** Men as pictures from edge to edge; only those near the window are in the page. */
export function MemberTiles({
  members,
  label,
  hrefOf,
}: {
  members: readonly TileMember[];
  label: string;
  hrefOf?: (member: TileMember) => string;
}) {
  const copy = useCopy(searchCopy);
  const distance = useDistance();
  const [nsfw] = useNsfw();
  const growInto = useGrowInto();
  const box = useRef<HTMLDivElement>(null);
  const shown = useTileWindow(box, members.length);
  return (
    <div ref={box} style={{ paddingTop: shown.before, paddingBottom: shown.after }}>
      <TileGrid label={label}>
        {members.slice(shown.from, shown.to).map((member, index) => {
          const picture = member.profilePicId ?? member.profilePicIds[0];
          const metres = distance(member.distanceMeters);
          return (
            <Tile
              key={`${member.profileId}-${member.profilePicId ?? ""}`}
              href={hrefOf?.(member) ?? `/profile/${member.profileId}`}
              {...(!hrefOf && { onClick: (event) => growInto(event, member.profileId) })}
              name={shownName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              {...(metres !== undefined && { distance: metres })}
              {...(isOnline(member) && { online: copy.online })}
              {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
              sizes={SIZES}
              eager={shown.from + index < FIRST_ROWS}
            />
          );
        })}
      </TileGrid>
    </div>
  );
}
