import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../api/picture-url.ts";
import { trpc } from "../../api/trpc.ts";
import { QueryState } from "../../components/QueryState.tsx";
import { useAction } from "../../components/use-action.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import { useQueueKeys } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { PersonChecks } from "./PersonChecks.tsx";

/** Public pictures and texts that members' votes could not decide, shown without their owners' names. */
export function GameReviews() {
  const copy = useCopy(dashboardCopy);
  const [locale] = useLocale();
  const reviews = trpc.games.reviews.useQuery();
  const decide = trpc.games.decideReview.useMutation(useAction({ refresh: [trpc.games.reviews] }));
  return (
    <div className={css.section} ref={useQueueKeys()}>
      <PersonChecks />
      <p className="muted">{copy.reviewsText}</p>
      {!reviews.data && <QueryState query={reviews} shape="rows" />}
      {reviews.data?.items.length === 0 && <p className="muted">{copy.reviewsEmpty}</p>}
      <ul className={`stack gap-5 plain-list ${css.reviews}`}>
        {reviews.data?.items.map((item) => (
          <li className="stack gap-2 content-start" key={item.itemId} data-row>
            <span>
              <strong>{copy.why[item.why]}</strong>{" "}
              <span className="muted">{new Date(item.tsWaiting).toLocaleDateString(locale)}</span>
            </span>
            {item.pictureId !== null && (
              <Picture alt={copy.reviewPicture} src={pictureSource(item.pictureId, true)} sizes="20rem" />
            )}
            {item.text !== null && <blockquote className="block measure pre-line">{item.text}</blockquote>}
            <div className="wrap gap-3 align-end">
              {(item.game === "rating" ? RATING_ANSWERS : BUSTER_ANSWERS).map((answer) => (
                <Button
                  key={answer}
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ itemId: item.itemId, answer })}
                >
                  {copy.reviewAnswers[answer]}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
