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

interface RateStackProps {
  profileId: number;
  pictures: readonly PictureMeta[];
}

/** Right is Nice, left is Meh, down is Skip; every throw has a button and a key, and the last one can be undone. */
export function RateStack({ profileId, pictures }: RateStackProps) {
  const copy = useCopy(picturesCopy).rate;
  const stack = useRateStack(profileId, pictures);
  const cards = stack.ahead.map((picture) => ({
    key: picture.id,
    card: (
      <RateCard
        picture={picture}
        label={copy.picture(pictures.indexOf(picture) + 1, pictures.length)}
        rating={stack.ratingOf(picture.id)}
      />
    ),
  }));
  return (
    <div className={css.screen}>
      <SwipeDeck
        className={css.stack}
        cardClassName={css.card}
        cards={cards}
        empty={<AllRated profileId={profileId} />}
        onVerdict={stack.judge}
        onUndo={stack.undo}
      >
        {(send) =>
          cards.length > 0 ? (
            <RateButtons profileId={profileId} canUndo={stack.canUndo} onUndo={stack.undo} onVerdict={send} />
          ) : (
            <Button variant="quiet" icon="undo" onClick={stack.restart}>
              {copy.again}
            </Button>
          )
        }
      </SwipeDeck>
      <VisuallyHidden live="polite">{stack.announcement}</VisuallyHidden>
    </div>
  );
}

function useRateStack(profileId: number, pictures: readonly PictureMeta[]) {
  const copy = useCopy(picturesCopy).rate;
  const { ratingOf, rate } = useRatings(profileId);
  const [at, setAt] = useState(0);
  const [undoable, setUndoable] = useState<{ at: number; before: LikeType | undefined }>();
  const [announcement, setAnnouncement] = useState("");
  const judge = (likeType: Verdict) => {
    const picture = pictures[at];
    if (!picture) return;
    setUndoable({ at, before: ratingOf(picture.id) });
    rate(picture.id, likeType);
    setAnnouncement(copy.rated[likeType]);
    setAt(at + 1);
  };
  const undo = () => {
    const last = undoable && pictures[undoable.at];
    if (!undoable || !last) return;
    rate(last.id, undoable.before ?? "UNDETERMINED");
    setAt(undoable.at);
    setUndoable(undefined);
  };
  return {
    /** The card on top, and the one below it. */
    ahead: pictures.slice(at, at + 2),
    ratingOf,
    judge,
    undo,
    canUndo: undoable !== undefined,
    restart: () => setAt(0),
    announcement,
  };
}

function AllRated({ profileId }: { profileId: number }) {
  const copy = useCopy(picturesCopy).rate;
  return (
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
  );
}

interface RateButtonsProps {
  profileId: number;
  canUndo: boolean;
  onUndo: () => void;
  onVerdict: (verdict: Verdict) => void;
}

function RateButtons({ profileId, canUndo, onUndo, onVerdict }: RateButtonsProps) {
  const copy = useCopy(picturesCopy).rate;
  return (
    <div className={css.acts}>
      <IconButton icon="undo" tone="raised" label={copy.undo} disabled={!canUndo} onClick={onUndo} />
      <IconButton icon="meh" tone="raised" size="large" label={copy.meh} onClick={() => onVerdict("DISLIKE")} />
      <IconButton icon="skip" tone="raised" label={copy.skip} onClick={() => onVerdict("UNDETERMINED")} />
      <IconButton icon="heart-filled" tone="accent" size="large" label={copy.nice} onClick={() => onVerdict("LIKE")} />
      <IconButton icon="user" tone="raised" label={copy.view} href={`/profile/${profileId}`} />
    </div>
  );
}
