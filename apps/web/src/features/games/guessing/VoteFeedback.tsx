import type { VoteResult } from "@lambda/contract/games";
import { useCopy } from "../../../format/i18n.ts";
import css from "../layout/game-layout.module.css";
import { guessingCopy } from "./copy.ts";

/** The result of the last vote. `answer` says which answer was right, in the game's words. */
export function VoteFeedback({ result, answer }: { result: VoteResult | undefined; answer?: string | undefined }) {
  const copy = useCopy(guessingCopy);
  const text = !result
    ? ""
    : result.right === null
      ? result.settled
        ? copy.settled
        : result.record.counts
          ? copy.counted
          : copy.noted
      : [result.right ? copy.right : copy.wrong, answer, result.creditsEarned > 0 && copy.earned(result.creditsEarned)]
          .filter(Boolean)
          .join(" ");
  return (
    <p
      className={`muted text-center ${css.verdict}`}
      role="status"
      data-right={result?.right ?? undefined}
      key={result?.record.votes}
    >
      {text}
    </p>
  );
}
