import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { BrandMark } from "@lambda/ui/brand-mark";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useState } from "react";
import { pictureSource, pictureUrl } from "../../../api/picture-url.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useBrand } from "../../../format/site.ts";
import { goBack } from "../../../routing/go-back.ts";
import { goTo } from "../../../routing/navigation.ts";
import { carouselPath, ratePath } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./carousel.module.css";
import { useZoom } from "./use-zoom.ts";

export interface CarouselProps {
  profileId: number;
  id: number;
  ids: readonly number[];
  /** Their metadata as far as it is loaded; size and placeholder prevent layout shifts. */
  pictures: readonly PictureMeta[];
}

/** One picture from edge to edge on black. A swipe, button or arrow key shows its neighbors, a pinch or double tap enlarges it. */
export function Carousel({ profileId, id, ids, pictures }: CarouselProps) {
  const copy = usePicturesCopy();
  const brand = useBrand();
  const [nsfw] = useNsfw();
  const { profileId: own } = useSession();
  const [hasControls, setControls] = useState(false);
  const index = ids.indexOf(id);
  const previous = ids[index - 1];
  const next = ids[index + 1];
  const meta = pictures.find((picture) => picture.id === id);
  const aspect = meta ? meta.width / meta.height : 0.8;
  const show = (other: number | undefined) => {
    if (other === undefined) return;
    zoom.reset();
    goTo(carouselPath(profileId, other, ids), { replace: true });
  };
  const zoom = useZoom({
    onSwipe: (direction) => show(direction === "next" ? next : previous),
    onTap: () => setControls((shown) => !shown),
  });
  useKeyboardShortcuts({ ArrowLeft: () => show(previous), ArrowRight: () => show(next), Escape: goBack });
  usePrefetch([next, previous], pictures);

  return (
    <div className={css.viewer} data-viewer data-controls={hasControls || undefined}>
      <div className={`center ${css.stage}`} data-zoomed={zoom.isZoomed || undefined} {...zoom.handlers}>
        <div key={id} className={css.picture} style={{ "--aspect": aspect, ...zoom.style } as object}>
          <Picture
            src={pictureSource(id, nsfw, meta?.version)}
            alt={copy.picture(index + 1, ids.length)}
            aspect={aspect}
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
      <div className={`row gap-2 ${css.top}`}>
        <IconButton tone="picture" icon="close" label={copy.carousel.close} onClick={goBack} />
        <Link href="/" className={`center circle ${css.mark}`} aria-label={copy.carousel.home} data-mark="">
          <BrandMark path={brand.mark} size={26} />
        </Link>
        <span className={`grow text-center bold ${css.count}`} aria-hidden>
          {`${index + 1}/${ids.length}`}
        </span>
        <span className="visually-hidden" aria-live="polite">
          {copy.carousel.count(index + 1, ids.length)}
        </span>
        {/* Only loaded pictures of other members can be rated. */}
        {meta && profileId !== own ? (
          <IconButton tone="picture" icon="heart" label={copy.carousel.rate} href={ratePath(profileId, id)} />
        ) : (
          <span className={css.mark} />
        )}
      </div>
      <div className={`stack gap-2 ${css.bottom}`}>
        {profileId !== own && meta?.covered !== false && <AgeNotice />}
        <div className={`row gap-2 between ${css.controls}`}>
          <IconButton
            tone="picture"
            icon="back"
            label={copy.carousel.previous}
            disabled={previous === undefined}
            onClick={() => show(previous)}
          />
          <Link href={`/profile/${profileId}`} className={`center bold radius-round ${css.profile}`}>
            {copy.view}
          </Link>
          <IconButton
            tone="picture"
            icon="forward"
            label={copy.carousel.next}
            disabled={next === undefined}
            onClick={() => show(next)}
          />
        </div>
      </div>
    </div>
  );
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
