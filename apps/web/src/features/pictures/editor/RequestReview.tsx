import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { useAction } from "../../../components/use-action.ts";
import { serverNow } from "../../../device/server-clock.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./picture-editor.module.css";

/** Tells the owner that the community marked the picture as NSFW, and requests a review. */
export function RequestReview({ pictureId }: { pictureId: number }) {
  const copy = useCopy(picturesCopy).editor.review;
  const [locale] = useLocale();
  const marked = trpc.games.markedPictures.useQuery();
  const requestReview = trpc.games.requestReview.useMutation(useAction({ refresh: [trpc.games.markedPictures] }));
  const picture = marked.data?.items.find((item) => item.pictureId === pictureId);
  const nextRequestAt =
    picture?.tsAskAgain && Date.parse(picture.tsAskAgain) > serverNow() ? new Date(picture.tsAskAgain) : undefined;
  return (
    <section className={`stack gap-2 tint radius-2 ${css.review}`} aria-label={copy.title}>
      <strong>{copy.title}</strong>
      <p role="status">
        {picture?.waiting
          ? copy.waiting
          : nextRequestAt
            ? copy.later(nextRequestAt.toLocaleDateString(locale, { day: "numeric", month: "long" }))
            : copy.text}
      </p>
      {picture && !picture.waiting && !nextRequestAt && (
        <Button icon="search" full busy={requestReview.isPending} onClick={() => requestReview.mutate({ pictureId })}>
          {copy.ask}
        </Button>
      )}
    </section>
  );
}
