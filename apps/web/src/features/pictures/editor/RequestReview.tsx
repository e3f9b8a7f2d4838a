import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./picture-editor.module.css";

/** Says that the community marked this picture, and lets its owner have it looked at again. */
export function RequestReview({ pictureId }: { pictureId: number }) {
  const copy = useCopy(picturesCopy).editor.look;
  const [locale] = useLocale();
  const toast = useToast();
  const utils = trpc.useUtils();
  const marked = trpc.games.markedPictures.useQuery();
  const ask = trpc.games.requestReview.useMutation({
    onSettled: () => utils.games.markedPictures.invalidate(),
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const mine = marked.data?.items.find((item) => item.pictureId === pictureId);
  const later = mine?.tsAskAgain && Date.parse(mine.tsAskAgain) > Date.now() ? new Date(mine.tsAskAgain) : undefined;
  return (
    <section className={css.look} aria-label={copy.title}>
      <strong>{copy.title}</strong>
      <p role="status">
        {mine?.waiting
          ? copy.waiting
          : later
            ? copy.later(later.toLocaleDateString(locale, { day: "numeric", month: "long" }))
            : copy.text}
      </p>
      {mine && !mine.waiting && !later && (
        <Button icon="search" full busy={ask.isPending} onClick={() => ask.mutate({ pictureId })}>
          {copy.ask}
        </Button>
      )}
    </section>
  );
}
