import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useState } from "react";
import { pictureSource, pictureUrl } from "../../../api/picture-url.ts";
import { releaseVerdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
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

/** One full picture: buttons, arrow keys and a swipe lead on; the neighbours are fetched before he asks. */
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
  const [offset, setOffset] = useState(0);
  const drag = useDrag({
    onMove: ({ x }) => setOffset(x),
    onRelease: ({ x }, speed) => {
      setOffset(0);
      const way = releaseVerdict({ x, y: 0 }, { x: speed.x, y: 0 });
      if (way) show(way === "LIKE" ? previous : next);
    },
    onCancel: () => setOffset(0),
  });
  useKeys({ ArrowLeft: () => show(previous), ArrowRight: () => show(next), Escape: () => history.back() });

  useEffect(() => {
    for (const neighbour of [next, previous]) {
      if (neighbour === undefined) continue;
      const version = pictures.find((picture) => picture.id === neighbour)?.version;
      new Image().src = pictureUrl(neighbour, window.innerWidth, nsfw, version);
    }
  }, [next, previous, nsfw, pictures]);

  return (
    <div className={css.screen}>
      <div className={css.room} {...drag}>
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
            pixelated={meta?.nsfw === true && !nsfw}
            pixelLabel={copy.editor.nsfw}
            {...(meta?.placeholder && { placeholder: meta.placeholder })}
          />
        </div>
      </div>
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
        {/* Only what stands on another man's profile can be rated. */}
        {meta && profileId !== own && (
          <Button variant="quiet" icon="heart" href={ratePath(profileId, id)}>
            {words.rate}
          </Button>
        )}
      </div>
    </div>
  );
}
