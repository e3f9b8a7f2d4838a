import type { VoteResult } from "@lambda/contract/games";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "../table/game-table.module.css";

/** What became of the last vote, announced once; `answer` is the game's own words on the right one. */
export function Verdict({ result, answer }: { result: VoteResult | undefined; answer?: string | undefined }) {
  const copy = useCopy(gamesCopy);
  const words = !result
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
    <p className={css.verdict} role="status" data-right={result?.right ?? undefined} key={result?.record.votes}>
      {words}
    </p>
  );
}
