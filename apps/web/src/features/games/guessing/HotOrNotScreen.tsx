import type { HotItem } from "@lambda/contract/games";
import type { LikeType } from "@lambda/contract/likes";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { useEffect } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { SwipeDeck } from "../../../components/SwipeDeck/SwipeDeck.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { GameLayout } from "../layout/GameLayout.tsx";
import { usePack } from "../layout/use-pack.ts";
import { useGuessingCopy } from "./copy.ts";
import css from "./hot-or-not.module.css";

/** Public pictures of members, rated by swiping. A rating is the same picture like as elsewhere on the site. */
export default function HotOrNotScreen() {
  const copy = useGuessingCopy();
  const [nsfw] = useNsfw();
  const draw = trpc.games.hotDraw.useMutation();
  const pack = usePack<HotItem>(() => draw.mutateAsync({ nsfw }));
  const like = trpc.pictureLikes.put.useMutation({ onError: useFailureToast() });
  const { item, upcoming } = pack;
  const rate = (likeType: LikeType) =>
    pack.advance(({ pictureId }) => like.mutateAsync({ profilePicId: pictureId, likeType }));
  useEffect(() => {
    if (upcoming) new Image().src = pictureSource(upcoming.pictureId, nsfw && upcoming.nsfw)(1024);
  }, [upcoming, nsfw]);

  return (
    <GameLayout pack={pack} how={copy.hot.how}>
      <AgeNotice />
      <SwipeDeck
        className={css.stack}
        cardClassName={css.card}
        cards={[item, upcoming].flatMap((card) =>
          card ? [{ key: card.pictureId, card: <HotCard item={card} nsfw={nsfw} /> }] : [],
        )}
        onVerdict={rate}
      >
        {(send) => (
          <div className={`stack gap-2 ${css.verdicts}`}>
            <Button label={copy.hot.not} onClick={() => send("DISLIKE")} />
            <Button variant="quiet" label={copy.hot.skip} onClick={() => send("UNDETERMINED")} />
            <Button variant="primary" label={copy.hot.hot} onClick={() => send("LIKE")} />
          </div>
        )}
      </SwipeDeck>
      {item && <Button variant="quiet" href={`/profile/${item.profileId}`} label={copy.hot.view} />}
    </GameLayout>
  );
}

function HotCard({ item, nsfw }: { item: HotItem; nsfw: boolean }) {
  const { hot } = useGuessingCopy();
  return (
    <>
      <Picture
        alt={hot.picture}
        src={pictureSource(item.pictureId, nsfw && item.nsfw)}
        sizes="(width < 34rem) 100vw, 30rem"
        eager
        initial=" "
      />
      <span className={css.hot} aria-hidden="true">
        {hot.hot}
      </span>
      <span className={css.not} aria-hidden="true">
        {hot.not}
      </span>
    </>
  );
}
