import { CONVERSATIONS_REFETCH_MS, DAY_MS, LIVE_REFETCH_MS, TILES_REFETCH_MS } from "@lambda/contract/limits";
import type { ProfileBrief } from "@lambda/contract/profiles";
import { Tile, TileGrid } from "@lambda/ui/tile";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useIsLive } from "../../api/live-state.ts";
import { pictureSource } from "../../api/picture-url.ts";
import { trpc } from "../../api/trpc.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { displayName } from "../../format/display-name.ts";
import { useFormatDistance } from "../../format/distance.ts";
import { isOnline } from "../../format/is-online.ts";
import { useSession } from "../../session/session.ts";
import { useChecked } from "../Checked/use-checked.ts";
import { useTonight } from "../Tonight/use-tonight.ts";
import { chunkIds } from "./chunk-ids.ts";
import { useMemberTileCopy } from "./copy.ts";
import { openProfileOnClick } from "./profile-transition.ts";
import { useDistances } from "./use-distances.ts";
import { useNewMembers } from "./use-new-members.ts";

/** The preview of a replaced picture may be up to a day old. */
const PREVIEWS_STALE_MS = DAY_MS;

/** Fetches tiny placeholder images for the tiles on screen, shown until the pictures have loaded. */
function usePreviews(ids: readonly number[], from: number, to: number) {
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.pictures.previews({ profileIds }, { staleTime: PREVIEWS_STALE_MS })),
  );
  const previews = new Map(
    results.flatMap(({ data }) => data?.items.map(({ pictureId, preview }) => [pictureId, preview] as const) ?? []),
  );
  return (pictureId: number | undefined): { preview?: string } => {
    const preview = pictureId === undefined ? undefined : previews.get(pictureId);
    return preview === undefined ? {} : { preview: `data:image/webp;base64,${preview}` };
  };
}

export type TileMember = ProfileBrief & {
  readonly distanceMeters?: number | null;
  /** The picture to show instead of the first. */
  readonly profilePicId?: number | undefined;
};

/** A tile is about an eighth of the width of a wide window and a quarter of a phone's. */
const SIZES = "(width < 400px) 25vw, (width < 600px) 17vw, 13vw";
const LARGE_SIZES = "(width < 400px) 50vw, (width < 600px) 33vw, 25vw";
const FIRST_ROWS = 12;

/** A grid of member pictures without margins; only tiles near the viewport are rendered. */
export function MemberTiles({
  members,
  label,
  hrefOf,
  more,
  large,
}: {
  members: readonly TileMember[];
  label: string;
  /** What loads more, in the room that the last row leaves. */
  more?: ReactNode;
  large?: boolean;
  hrefOf?: (member: TileMember) => string;
}) {
  const copy = useMemberTileCopy();
  const formatDistance = useFormatDistance();
  const [nsfw] = useNsfw();
  const box = useRef<HTMLDivElement>(null);
  const shown = useTileWindow(box, members.length, large);
  const ids = useMemo(() => members.map(({ profileId }) => profileId), [members]);
  // Search results include the distance; lists of likes do not.
  const lacksDistance = members[0]?.distanceMeters === undefined;
  const distanceTo = useDistances(lacksDistance ? ids : [], shown.from, shown.to);
  const marks = useMarks(ids, shown.from, shown.to);
  const tonight = useTonight(ids, shown.from, shown.to);
  const checked = useChecked(ids, shown.from, shown.to);
  const isNew = useNewMembers(ids, shown.from, shown.to);
  const previewOf = usePreviews(ids, shown.from, shown.to);
  return (
    <div ref={box} style={{ paddingTop: shown.paddingTop, paddingBottom: shown.paddingBottom }}>
      <TileGrid
        label={label}
        large={large}
        rest={more && shown.to === members.length ? { columns: shown.restColumns, content: more } : undefined}
      >
        {members.slice(shown.from, shown.to).map((member, index) => {
          const picture = member.profilePicId ?? member.profilePicIds[0];
          const distance = formatDistance(member.distanceMeters ?? distanceTo(member.profileId));
          return (
            <Tile
              key={`${member.profileId}-${member.profilePicId ?? ""}`}
              href={hrefOf?.(member) ?? `/profile/${member.profileId}`}
              // Only the profile's first picture can expand into the profile's hero picture.
              {...(!hrefOf &&
                member.profilePicId === undefined && {
                  onClick: (event) => openProfileOnClick(event, member, members),
                })}
              name={displayName(member.profileName)}
              {...(member.profileAge !== null && { age: member.profileAge })}
              {...(distance !== undefined && { distance })}
              {...(isOnline(member) && { online: copy.online })}
              {...(marks.unread.has(member.profileId) && { unread: copy.unread })}
              {...(marks.liked.has(member.profileId) && { liked: copy.liked })}
              {...(tonight.has(member.profileId) && { tonight: copy.tonight })}
              {...(checked.has(member.profileId) && { checked: copy.checked })}
              {...(isNew.has(member.profileId) && { isNew: copy.isNew })}
              {...(picture !== undefined && { src: pictureSource(picture, nsfw) })}
              sizes={large ? LARGE_SIZES : SIZES}
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

/**
 * The like and unread marks in the corner of tiles. Likes are fetched separately for the members on screen, to keep searches cheap.
 * Unread messages come from the conversation list, which is fetched only while the session counts unread messages.
 */
function useMarks(ids: readonly number[], from: number, to: number) {
  const { context } = useSession();
  const likes = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.likes.among({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  const refetchInterval = useIsLive() ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS;
  const hasUnread = (context?.unreadMessages ?? 0) > 0;
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: hasUnread, refetchInterval });
  const unread = (hasUnread && conversations.data?.items.filter((row) => row.unread > 0)) || [];
  return {
    liked: new Set(likes.flatMap(({ data }) => data?.items.map((like) => like.likedProfileId) ?? [])),
    unread: new Set(unread.flatMap(({ other }) => other?.profileId ?? [])),
  };
}

const GAP_PX = 2;
/** Height divided by width of a tile. */
const RATIO = 1.25;
/** Rows rendered beyond both ends of the viewport, so that fast scrolling and the Tab key never reach an empty area. */
const OVERSCAN_ROWS = 6;
const STEP_ROWS = OVERSCAN_ROWS / 2;

/** 2 columns under 200 px, 4 under 400, 6 under 600, else 8, at the usual size of the text; fewer where it is larger. */
function tileColumns(width: number): number {
  const em = width / Number.parseFloat(getComputedStyle(document.body).fontSize);
  return em < 12.5 ? 2 : em < 25 ? 4 : em < 37.5 ? 6 : 8;
}

/** Which of `count` tiles to render because they are near the viewport; padding replaces the rest. */
function useTileWindow(box: RefObject<HTMLElement | null>, count: number, large = false) {
  const [width, setWidth] = useState(() => document.documentElement.clientWidth);
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [box]);
  const columns = tileColumns(width) / (large ? 2 : 1);
  const rowHeight = ((width - (columns - 1) * GAP_PX) / columns) * RATIO + GAP_PX;
  useEffect(() => {
    // Moves in steps of half the overscan, so that scrolling rarely rerenders.
    const updateFirst = () => {
      const rowsAbove = Math.max(0, -(box.current?.getBoundingClientRect().top ?? 0)) / rowHeight;
      setFirst(Math.max(0, Math.floor(rowsAbove / STEP_ROWS) * STEP_ROWS - OVERSCAN_ROWS));
    };
    updateFirst();
    addEventListener("scroll", updateFirst, { passive: true });
    return () => removeEventListener("scroll", updateFirst);
  }, [box, rowHeight]);

  const rows = Math.ceil(count / columns);
  const last = Math.min(rows, first + Math.ceil(innerHeight / rowHeight) + 3 * OVERSCAN_ROWS);
  return {
    from: first * columns,
    to: Math.min(count, last * columns),
    // Space in place of the tiles that are not rendered, in pixels.
    paddingTop: first * rowHeight,
    paddingBottom: Math.max(0, rows - last) * rowHeight,
    // How many columns the tiles leave free in their last row; a whole row where they fill it.
    restColumns: columns - (count % columns),
  };
}
