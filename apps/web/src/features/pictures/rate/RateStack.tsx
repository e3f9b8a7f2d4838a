import type { LikeType } from "@lambda/contract/likes";
import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { IconButton } from "@lambda/ui/icon-button";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { useState } from "react";
import { SwipeDeck } from "../../../components/SwipeDeck/SwipeDeck.tsx";
import type { Verdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import { RateCard } from "./RateCard.tsx";
import css from "./rate-stack.module.css";
import { useRatings } from "./use-ratings.ts";

/** Right is Nice, left is Meh, down is Skip; every throw has a button and a key, and the last one can be undone. */
export function RateStack({
  profileId,
  pictures,
  start,
}: {
  profileId: number;
  pictures: readonly PictureMeta[];
  start: number;
}) {
  const copy = useCopy(picturesCopy).rate;
  const { ratingOf, rate } = useRatings(profileId);
  const [at, setAt] = useState(start);
  const [undoable, setUndoable] = useState<{ at: number; before: LikeType | undefined }>();
  const [said, setSaid] = useState("");
  const picture = pictures[at];

  const judge = (likeType: Verdict) => {
    if (!picture) return;
    setUndoable({ at, before: ratingOf(picture.id) });
    rate(picture.id, likeType);
    setSaid(copy.rated[likeType]);
    setAt(at + 1);
  };
  const undo = () => {
    const last = undoable && pictures[undoable.at];
    if (!undoable || !last) return;
    rate(last.id, undoable.before ?? "UNDETERMINED");
    setAt(undoable.at);
    setUndoable(undefined);
  };

  return (
    <div className={css.screen}>
      <SwipeDeck
        className={css.stack}
        cardClassName={css.card}
        cards={pictures.slice(at, at + 2).map((card) => ({
          key: card.id,
          card: (
            <RateCard
              picture={card}
              label={copy.picture(pictures.indexOf(card) + 1, pictures.length)}
              rating={ratingOf(card.id)}
            />
          ),
        }))}
        empty={
          <EmptyState
            figure="lamp"
            title={copy.end}
            text={copy.endText}
            action={
              <Button variant="primary" href={`/profile/${profileId}`}>
                {copy.view}
              </Button>
            }
          />
        }
        onVerdict={judge}
        onUndo={undo}
      >
        {(send) =>
          picture ? (
            <div className={css.acts}>
              <IconButton icon="undo" tone="raised" label={copy.undo} disabled={!undoable} onClick={undo} />
              <IconButton icon="meh" tone="raised" size="large" label={copy.meh} onClick={() => send("DISLIKE")} />
              <IconButton icon="skip" tone="raised" label={copy.skip} onClick={() => send("UNDETERMINED")} />
              <IconButton
                icon="heart-filled"
                tone="accent"
                size="large"
                label={copy.nice}
                onClick={() => send("LIKE")}
              />
              <IconButton icon="user" tone="raised" label={copy.view} href={`/profile/${profileId}`} />
            </div>
          ) : (
            <Button variant="quiet" icon="undo" onClick={() => setAt(0)}>
              {copy.again}
            </Button>
          )
        }
      </SwipeDeck>
      <VisuallyHidden live="polite">{said}</VisuallyHidden>
    </div>
  );
}
