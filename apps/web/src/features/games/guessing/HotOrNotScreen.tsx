import type { HotItem } from "@lambda/contract/games";
import type { LikeType } from "@lambda/contract/likes";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useRef } from "react";
import { errorText } from "../../../api/error-text.ts";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { useSwipe } from "../../../components/SwipeDeck/use-swipe.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { GameTable } from "../table/GameTable.tsx";
import { usePack } from "../table/use-pack.ts";
import css from "./hot-or-not.module.css";
import { useKeys } from "./use-keys.ts";

/** Public pictures of men on this site, one swipe each: it is the picture like of the rest of the site. */
export default function HotOrNotScreen() {
  const copy = useCopy(gamesCopy);
  const toast = useToast();
  const [nsfw] = useNsfw();
  const draw = trpc.games.hotDraw.useMutation();
  const pack = usePack<HotItem>(() => draw.mutateAsync({ nsfw }));
  const like = trpc.pictureLikes.put.useMutation({
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const { item, coming } = pack;
  const card = useRef<HTMLDivElement>(null);
  const swipe = useSwipe(card, (verdict) => judge(verdict));
  const judge = (likeType: LikeType) => {
    if (!item) return;
    pack.next(like.mutateAsync({ profilePicId: item.pictureId, likeType }));
  };
  const fly = (verdict: "LIKE" | "DISLIKE" | "UNDETERMINED") => () => swipe.flyOff(verdict);
  useKeys({ ArrowRight: fly("LIKE"), ArrowLeft: fly("DISLIKE"), ArrowDown: fly("UNDETERMINED") });
  useEffect(() => {
    if (coming) new Image().src = pictureSource(coming.pictureId, nsfw && coming.nsfw)(1024);
  }, [coming, nsfw]);

  return (
    <GameTable pack={pack} how={copy.hot.how}>
      <div className={css.stack}>
        {coming && (
          <div className={css.under} aria-hidden="true">
            <Picture alt="" src={pictureSource(coming.pictureId, nsfw && coming.nsfw)} sizes="30rem" initial=" " />
          </div>
        )}
        {item && (
          <div key={item.pictureId} ref={card} className={css.card} {...swipe.handlers}>
            <Picture
              alt={copy.hot.picture}
              src={pictureSource(item.pictureId, nsfw && item.nsfw)}
              sizes="(width < 34rem) 100vw, 30rem"
              eager
              initial=" "
            />
            <span className={css.hot} aria-hidden="true">
              {copy.hot.hot}
            </span>
            <span className={css.not} aria-hidden="true">
              {copy.hot.not}
            </span>
          </div>
        )}
      </div>
      <div className={css.verdicts}>
        <Button onClick={fly("DISLIKE")}>{copy.hot.not}</Button>
        <Button variant="quiet" onClick={fly("UNDETERMINED")}>
          {copy.hot.skip}
        </Button>
        <Button variant="primary" onClick={fly("LIKE")}>
          {copy.hot.hot}
        </Button>
      </div>
      {item && (
        <Button variant="quiet" href={`/profile/${item.profileId}`}>
          {copy.hot.view}
        </Button>
      )}
    </GameTable>
  );
}
