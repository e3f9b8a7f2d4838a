import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useState } from "react";
import { pictureSource, pictureUrl } from "../../../api/picture-url.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { releaseVerdict, type Verdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useDrag } from "../../../components/SwipeDeck/use-drag.ts";
import { useKeys } from "../../../components/use-keys.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { useSession } from "../../../session/session.ts";
import { picturesCopy } from "../copy.ts";
import { carouselPath, ratePath } from "../picture-params.ts";
import css from "./carousel.module.css";

export interface CarouselProps {
  profileId: number;
  id: number;
  ids: readonly number[];
  /** What is known of them: shape and colour, so that nothing jumps. */
  pictures: readonly PictureMeta[];
}

/** One full picture: buttons, arrow keys and a swipe lead on; the neighbours are fetched in advance. */
export function Carousel({ profileId, id, ids, pictures }: CarouselProps) {
  const copy = useCopy(picturesCopy);
  const words = copy.carousel;
  const [nsfw] = useNsfw();
  const { profileId: own } = useSession();
  const at = ids.indexOf(id);
  const previous = ids[at - 1];
  const next = ids[at + 1];
  const meta = pictures.find((picture) => picture.id === id);
  const show = (other: number | undefined) => {
    if (other !== undefined) goTo(carouselPath(profileId, other, ids), { replace: true });
  };
  const { offset, handlers } = useSideways((way) => show(way === "LIKE" ? previous : next));
  useKeys({ ArrowLeft: () => show(previous), ArrowRight: () => show(next), Escape: () => history.back() });
  usePrefetch([next, previous], pictures);

  return (
    <div className={css.screen}>
      <div className={css.stage} {...handlers}>
        <div
          key={id}
          className={css.picture}
          style={{ translate: `${offset}px 0`, "--aspect": meta ? meta.width / meta.height : 0.8 } as object}
        >
          <Picture
            src={pictureSource(id, nsfw, meta?.version)}
            alt={words.picture(at + 1, ids.length)}
            aspect={meta ? meta.width / meta.height : 0.8}
            fit="contain"
            sizes="100vw"
            eager
            initial=" "
            pixelated={meta?.covered === true || (meta?.nsfw === true && !nsfw)}
            pixelLabel={copy.editor.nsfw}
            {...(meta?.placeholder && { placeholder: meta.placeholder })}
          />
        </div>
      </div>
      {profileId !== own && meta?.covered !== false && <AgeNotice />}
      <div className={css.bar}>
        <Button icon="back" disabled={previous === undefined} onClick={() => show(previous)}>
          {words.previous}
        </Button>
        <span className={css.count} aria-live="polite">
          {words.count(at + 1, ids.length)}
        </span>
        <Button icon="forward" disabled={next === undefined} onClick={() => show(next)}>
          {words.next}
        </Button>
      </div>
      <div className={css.links}>
        <Button variant="primary" icon="user" href={`/profile/${profileId}`}>
          {words.view}
        </Button>
        {/* Only pictures of other members can be rated. */}
        {meta && profileId !== own && (
          <Button variant="quiet" icon="heart" href={ratePath(profileId, id)}>
            {words.rate}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A picture follows the finger sideways; far or fast enough it means the neighbour on that side. */
function useSideways(onSwipe: (way: Verdict) => void) {
  const [offset, setOffset] = useState(0);
  const handlers = useDrag({
    onMove: ({ x }) => setOffset(x),
    onRelease: ({ x }, speed) => {
      setOffset(0);
      const way = releaseVerdict({ x, y: 0 }, { x: speed.x, y: 0 });
      if (way) onSwipe(way);
    },
    onCancel: () => setOffset(0),
  });
  return { offset, handlers };
}

function usePrefetch([next, previous]: readonly [Neighbour, Neighbour], pictures: readonly PictureMeta[]): void {
  const [nsfw] = useNsfw();
  useEffect(() => {
    for (const id of [next, previous]) {
      if (id === undefined) continue;
      const version = pictures.find((picture) => picture.id === id)?.version;
      new Image().src = pictureUrl(id, window.innerWidth, nsfw, version);
    }
  }, [next, previous, nsfw, pictures]);
}

type Neighbour = number | undefined;
