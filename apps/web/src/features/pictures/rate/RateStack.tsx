import type { LikeType } from "@lambda/contract/likes";
import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { classes } from "@lambda/ui/classes";
import { EmptyState } from "@lambda/ui/empty-state";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { Picture } from "@lambda/ui/picture";
import { useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { SwipeDeck } from "../../../components/SwipeDeck/SwipeDeck.tsx";
import type { SwipeVerdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { serverDate } from "../../../device/server-clock.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./rate-stack.module.css";

/** Swipe right for Nice, left for Meh, down for Skip. Each verdict also has a button and a key, and the last one can be undone. */
export function RateStack({ profileId, pictures }: { profileId: number; pictures: readonly PictureMeta[] }) {
  const { rate: copy, view, picture: nameOf } = usePicturesCopy();
  const stack = useRateStack(profileId, pictures);
  const cards = stack.topPictures.map((picture) => ({
    key: picture.id,
    card: (
      <RateCard
        picture={picture}
        label={nameOf(pictures.indexOf(picture) + 1, pictures.length)}
        rating={stack.ratingOf(picture.id)}
      />
    ),
  }));
  return (
    <div className="row column gap-4 justify-center grow">
      <SwipeDeck
        className={css.stack}
        cardClassName={css.card}
        cards={cards}
        empty={
          <EmptyState
            figure="lamp"
            title={copy.end}
            text={copy.endText}
            action={<Button variant="primary" href={`/profile/${profileId}`} label={view} />}
          />
        }
        onVerdict={stack.rate}
        onUndo={stack.undo}
      >
        {(send) =>
          cards.length > 0 ? (
            <div className={`row justify-center ${css.buttons}`}>
              <IconButton icon="undo" tone="raised" label={copy.undo} disabled={!stack.canUndo} onClick={stack.undo} />
              <IconButton
                icon="meh"
                tone="raised"
                size="large"
                label={copy.rated.DISLIKE}
                onClick={() => send("DISLIKE")}
              />
              <IconButton icon="skip" tone="raised" label={copy.skip} onClick={() => send("UNDETERMINED")} />
              <IconButton
                icon="heart-filled"
                tone="accent"
                size="large"
                label={copy.rated.LIKE}
                onClick={() => send("LIKE")}
              />
              <IconButton icon="user" tone="raised" label={view} href={`/profile/${profileId}`} />
            </div>
          ) : (
            <Button variant="quiet" icon="undo" label={copy.again} onClick={stack.restart} />
          )
        }
      </SwipeDeck>
      <span className="visually-hidden" aria-live="polite">
        {stack.announcement}
      </span>
    </div>
  );
}

function useRateStack(profileId: number, pictures: readonly PictureMeta[]) {
  const copy = usePicturesCopy().rate;
  const { ratingOf, rate: saveRating } = useRatings(profileId);
  const [index, setIndex] = useState(0);
  const [undoable, setUndoable] = useState<{ index: number; previousRating: LikeType | undefined }>();
  const [announcement, setAnnouncement] = useState("");
  const rate = (likeType: SwipeVerdict) => {
    const picture = pictures[index];
    if (!picture) return;
    setUndoable({ index, previousRating: ratingOf(picture.id) });
    saveRating(picture.id, likeType);
    setAnnouncement(copy.rated[likeType]);
    setIndex(index + 1);
  };
  const undo = () => {
    const last = undoable && pictures[undoable.index];
    if (!undoable || !last) return;
    saveRating(last.id, undoable.previousRating ?? "UNDETERMINED");
    setIndex(undoable.index);
    setUndoable(undefined);
  };
  return {
    topPictures: pictures.slice(index, index + 2),
    ratingOf,
    rate,
    undo,
    canUndo: undoable !== undefined,
    restart: () => setIndex(0),
    announcement,
  };
}

function useRatings(profileId: number) {
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const { data } = trpc.pictureLikes.about.useQuery({ profileId });
  const save = trpc.pictureLikes.put.useMutation({
    // An undo must arrive after what it takes back.
    scope: { id: "picture-likes" },
    onMutate: async ({ profilePicId, likeType }) => {
      await utils.pictureLikes.about.cancel({ profileId });
      const previous = utils.pictureLikes.about.getData({ profileId });
      const like = {
        likerProfileId: 0,
        profilePicId: Number(profilePicId),
        profilePicProfileId: profileId,
        likeType,
        tsCreated: serverDate().toISOString(),
      };
      utils.pictureLikes.about.setData({ profileId }, (data) => ({
        items: [...(data?.items ?? []).filter((other) => other.profilePicId !== like.profilePicId), like],
      }));
      return { previous };
    },
    onSuccess: () => {
      void utils.pictureLikes.byLiker.invalidate();
      void utils.likes.briefs.invalidate();
    },
    onError: (error, _, context) => {
      utils.pictureLikes.about.setData({ profileId }, context?.previous);
      // Others may have been rated since, and a call without an answer may have been carried out.
      void utils.pictureLikes.about.invalidate({ profileId });
      showFailure(error);
    },
  });
  return {
    ratingOf: (id: number): LikeType | undefined => data?.items.find((like) => like.profilePicId === id)?.likeType,
    rate: (profilePicId: number, likeType: LikeType) => save.mutate({ profilePicId, likeType }),
  };
}

interface RateCardProps {
  picture: PictureMeta;
  label: string;
  /** The viewer's previous rating. */
  rating?: LikeType | undefined;
}

const VERDICT_ICONS = { LIKE: "heart-filled", DISLIKE: "meh", UNDETERMINED: "skip" } as const;
const VERDICTS = ["LIKE", "DISLIKE", "UNDETERMINED"] as const;

/** A picture to rate. The icon of each verdict fades in as the card is dragged in its direction. */
function RateCard({ picture, label, rating }: RateCardProps) {
  const copy = usePicturesCopy();
  const [nsfw] = useNsfw();
  return (
    <>
      <Picture
        src={pictureSource(picture.id, nsfw, picture.version)}
        alt={label}
        initial=" "
        sizes="(width < 40rem) 100vw, 30rem"
        eager
        placeholder={picture.placeholder}
        pixelated={picture.covered || (picture.nsfw && !nsfw)}
        pixelLabel={copy.nsfw}
      />
      {VERDICTS.map((verdict) => (
        <span key={verdict} className={classes(css.verdict, css[verdict])} aria-hidden="true">
          <Icon name={VERDICT_ICONS[verdict]} size={48} />
        </span>
      ))}
      {rating && rating !== "UNDETERMINED" && rating !== "ERROR" && (
        <span className={`inline-row gap-2 radius-round bold ${css.before}`}>
          <Icon name={rating === "LIKE" ? "heart-filled" : "meh"} size={18} />
          {copy.rate.rated[rating]}
        </span>
      )}
    </>
  );
}
