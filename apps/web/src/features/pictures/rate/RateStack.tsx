import type { LikeType } from "@lambda/contract/likes";
import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { IconButton } from "@lambda/ui/icon-button";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { useEffect, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import { type Leaving, RateCard } from "./RateCard.tsx";
import css from "./rate-stack.module.css";
import { useRatings } from "./use-ratings.ts";

type Verdict = "LIKE" | "DISLIKE" | "UNDETERMINED";

/** Time that a thrown card takes to be gone; the next one can be rated at once. */
const LEAVE_MS = 240;

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
  const [leaving, setLeaving] = useState<Leaving>();
  const [said, setSaid] = useState("");
  const picture = pictures[at];

  const judge = (likeType: Verdict) => {
    if (!picture) return;
    setUndoable({ at, before: ratingOf(picture.id) });
    setLeaving({ picture, verdict: likeType });
    rate(picture.id, likeType);
    setSaid(copy.rated[likeType]);
    setAt(at + 1);
  };
  const undo = () => {
    const last = undoable && pictures[undoable.at];
    if (!undoable || !last) return;
    rate(last.id, undoable.before ?? "UNDETERMINED");
    setLeaving(undefined);
    setAt(undoable.at);
    setUndoable(undefined);
  };

  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => setLeaving(undefined), LEAVE_MS);
    return () => clearTimeout(timer);
  }, [leaving]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "ArrowRight") judge("LIKE");
      if (event.key === "ArrowLeft") judge("DISLIKE");
      if (event.key === "ArrowDown") {
        event.preventDefault();
        judge("UNDETERMINED");
      }
      if (event.key === "z" || event.key === "Backspace") undo();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });

  return (
    <div className={css.screen}>
      <div className={css.stack}>
        {picture ? (
          pictures
            .slice(at, at + 2)
            .reverse()
            .map((card) => (
              <RateCard
                key={card.id}
                picture={card}
                label={copy.picture(pictures.indexOf(card) + 1, pictures.length)}
                rating={ratingOf(card.id)}
                top={card === picture}
                onVerdict={judge}
              />
            ))
        ) : (
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
        )}
        {leaving && (
          <RateCard key={`gone-${leaving.picture.id}`} picture={leaving.picture} label="" leaving={leaving.verdict} />
        )}
      </div>
      {picture ? (
        <div className={css.acts}>
          <IconButton icon="undo" tone="raised" label={copy.undo} disabled={!undoable} onClick={undo} />
          <IconButton icon="meh" tone="raised" size="large" label={copy.meh} onClick={() => judge("DISLIKE")} />
          <IconButton icon="skip" tone="raised" label={copy.skip} onClick={() => judge("UNDETERMINED")} />
          <IconButton icon="heart-filled" tone="accent" size="large" label={copy.nice} onClick={() => judge("LIKE")} />
          <IconButton icon="user" tone="raised" label={copy.view} href={`/profile/${profileId}`} />
        </div>
      ) : (
        <Button variant="quiet" icon="undo" onClick={() => setAt(0)}>
          {copy.again}
        </Button>
      )}
      <VisuallyHidden live="polite">{said}</VisuallyHidden>
    </div>
  );
}
