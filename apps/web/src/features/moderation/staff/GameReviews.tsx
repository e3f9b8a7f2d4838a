import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import type { ReactNode } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { useIsHimCopy } from "../../games/person-check/copy.ts";
import { useDashboardCopy } from "./copy.ts";
import { useQueueKeys } from "./Desk.tsx";
import css from "./dashboard.module.css";

/** Public pictures and texts that members' votes could not decide, shown without their owners' names. */
export function GameReviews() {
  const copy = useDashboardCopy();
  const reviews = trpc.games.reviews.useQuery();
  const decide = trpc.games.decideReview.useMutation(useAction({ refresh: [trpc.games.reviews] }));
  return (
    <div className={css.section} ref={useQueueKeys()}>
      <PersonChecks />
      <p className="muted">{copy.reviewsText}</p>
      {!reviews.data && <QueryState query={reviews} shape="rows" />}
      {reviews.data?.items.length === 0 && <p className="muted">{copy.reviewsEmpty}</p>}
      <ul className={`stack gap-5 plain-list ${css.reviews}`}>
        {reviews.data?.items.map(({ itemId, why, tsWaiting, pictureId, text, game }) => (
          <Review
            key={itemId}
            title={copy.why[why]}
            tsWaiting={tsWaiting}
            answers={game === "rating" ? RATING_ANSWERS : BUSTER_ANSWERS}
            labels={copy.reviewAnswers}
            disabled={decide.isPending}
            onAnswer={(answer) => decide.mutate({ itemId, answer })}
          >
            {pictureId !== null && (
              <Picture alt={copy.reviewPicture} src={pictureSource(pictureId, true)} sizes="20rem" />
            )}
            {text !== null && <blockquote className="block measure pre-line">{text}</blockquote>}
          </Review>
        ))}
      </ul>
    </div>
  );
}

const STILLS = 3;
const ANSWERS = ["him", "not_him", "unclear"] as const;

/** Checks that players did not decide. The verdict deletes the stills. Nothing while none waits. */
function PersonChecks() {
  const copy = useDashboardCopy();
  const texts = useIsHimCopy();
  const checks = trpc.admin.personChecks.useQuery();
  const decide = trpc.admin.decidePersonCheck.useMutation(useAction({ refresh: [trpc.admin.personChecks] }));
  if (!checks.data) return <QueryState query={checks} />;
  if (checks.data.items.length === 0) return null;
  return (
    <>
      <p className="muted">{copy.checksText}</p>
      <ul className="stack gap-5 plain-list">
        {checks.data.items.map(({ profileId, pose, pictures, refusals, tsWaiting }) => (
          <Review
            key={profileId}
            title={texts.question}
            tsWaiting={tsWaiting}
            note={refusals > 0 && ` · ${copy.refusals(refusals)}`}
            answers={ANSWERS}
            labels={texts}
            disabled={decide.isPending}
            onAnswer={(answer) => decide.mutate({ profileId, answer })}
          >
            <p>{texts.pose(pose)}</p>
            <div className={`stack gap-1 three-columns ${css.compared}`}>
              {Array.from({ length: STILLS + pictures }, (_, index) => index).map((index) => (
                <img
                  key={index}
                  alt={index < STILLS ? copy.still(index + 1) : copy.publicPicture(index + 1 - STILLS)}
                  src={`/api/admin/person-check/${profileId}/${index}`}
                />
              ))}
            </div>
          </Review>
        ))}
      </ul>
    </>
  );
}

interface ReviewProps<Answer extends string> {
  title: string;
  tsWaiting: string;
  note?: ReactNode;
  answers: readonly Answer[];
  labels: Readonly<Record<Answer, string>>;
  disabled: boolean;
  onAnswer: (answer: Answer) => void;
  children: ReactNode;
}

function Review<Answer extends string>(props: ReviewProps<Answer>) {
  const { title, tsWaiting, note, answers, labels, disabled, onAnswer, children } = props;
  return (
    <li className="stack gap-2 content-start" data-row>
      <span>
        <strong>{title}</strong>{" "}
        <span className="muted">
          {new Date(tsWaiting).toLocaleDateString(currentLocale())}
          {note}
        </span>
      </span>
      {children}
      <div className="wrap gap-3 align-end">
        {answers.map((answer) => (
          <Button key={answer} disabled={disabled} label={labels[answer]} onClick={() => onAnswer(answer)} />
        ))}
      </div>
    </li>
  );
}
