import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useState } from "react";
import { pictureSource, pictureUrl } from "../../../api/picture-url.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { releaseVerdict, type SwipeVerdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useDrag } from "../../../components/SwipeDeck/use-drag.ts";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { goTo } from "../../../routing/navigation.ts";
import { carouselPath, ratePath } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./carousel.module.css";

export interface CarouselProps {
  profileId: number;
  id: number;
  ids: readonly number[];
  /** Their metadata as far as it is loaded; size and placeholder prevent layout shifts. */
  pictures: readonly PictureMeta[];
}

/** One full-size picture with navigation by button, arrow key and swipe. Prefetches its neighbors. */
export function Carousel({ profileId, id, ids, pictures }: CarouselProps) {
  const copy = usePicturesCopy();
  const [nsfw] = useNsfw();
  const { profileId: own } = useSession();
  const index = ids.indexOf(id);
  const previous = ids[index - 1];
  const next = ids[index + 1];
  const meta = pictures.find((picture) => picture.id === id);
  const show = (other: number | undefined) => {
    if (other !== undefined) goTo(carouselPath(profileId, other, ids), { replace: true });
  };
  const { offset, handlers } = useHorizontalSwipe((verdict) => show(verdict === "LIKE" ? previous : next));
  useKeyboardShortcuts({ ArrowLeft: () => show(previous), ArrowRight: () => show(next), Escape: () => history.back() });
  usePrefetch([next, previous], pictures);

  return (
    <div className={`row column gap-3 grow ${css.screen}`}>
      <div className={`center grow full-width ${css.stage}`} {...handlers}>
        <div
          key={id}
          className={`radius-2 clip ${css.picture}`}
          style={{ translate: `${offset}px 0`, "--aspect": meta ? meta.width / meta.height : 0.8 } as object}
        >
          <Picture
            src={pictureSource(id, nsfw, meta?.version)}
            alt={copy.picture(index + 1, ids.length)}
            aspect={meta ? meta.width / meta.height : 0.8}
            fit="contain"
            sizes="100vw"
            eager
            initial=" "
            pixelated={meta?.covered === true || (meta?.nsfw === true && !nsfw)}
            pixelLabel={copy.nsfw}
            {...(meta?.placeholder && { placeholder: meta.placeholder })}
          />
        </div>
      </div>
      {profileId !== own && meta?.covered !== false && <AgeNotice />}
      <div className={`stack gap-3 ${css.bar}`}>
        <Button
          icon="back"
          disabled={previous === undefined}
          label={copy.carousel.previous}
          onClick={() => show(previous)}
        />
        <span className={`muted text-center ${css.count}`} aria-live="polite">
          {copy.carousel.count(index + 1, ids.length)}
        </span>
        <Button icon="forward" disabled={next === undefined} label={copy.carousel.next} onClick={() => show(next)} />
      </div>
      <div className="wrap gap-2 justify-center">
        <Button variant="primary" icon="user" href={`/profile/${profileId}`} label={copy.view} />
        {/* Only loaded pictures of other members can be rated. */}
        {meta && profileId !== own && (
          <Button variant="quiet" icon="heart" href={ratePath(profileId, id)} label={copy.carousel.rate} />
        )}
      </div>
    </div>
  );
}

/** The picture follows the finger horizontally; a swipe that is far or fast enough is reported. */
function useHorizontalSwipe(onSwipe: (verdict: SwipeVerdict) => void) {
  const [offset, setOffset] = useState(0);
  const handlers = useDrag({
    onMove: ({ x }) => setOffset(x),
    onRelease: ({ x }, speed) => {
      setOffset(0);
      const verdict = releaseVerdict({ x, y: 0 }, { x: speed.x, y: 0 });
      if (verdict) onSwipe(verdict);
    },
    onCancel: () => setOffset(0),
  });
  return { offset, handlers };
}

function usePrefetch([next, previous]: readonly [Neighbor, Neighbor], pictures: readonly PictureMeta[]): void {
  const [nsfw] = useNsfw();
  useEffect(() => {
    for (const id of [next, previous]) {
      if (id === undefined) continue;
      const version = pictures.find((picture) => picture.id === id)?.version;
      new Image().src = pictureUrl(id, window.innerWidth, nsfw, version);
    }
  }, [next, previous, nsfw, pictures]);
}

type Neighbor = number | undefined;
