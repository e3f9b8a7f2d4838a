import type { VoteResult } from "@lambda/contract/games";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "../table/game-table.module.css";

/** What became of the last vote, said once; `said` is the game's own words on the right answer. */
export function Verdict({ result, said }: { result: VoteResult | undefined; said?: string | undefined }) {
  const copy = useCopy(gamesCopy);
  const words = !result
    ? ""
    : result.right === null
      ? result.settled
        ? copy.settled
        : result.record.counts
          ? copy.counted
          : copy.noted
      : [result.right ? copy.right : copy.wrong, said, result.creditsEarned > 0 && copy.earned(result.creditsEarned)]
          .filter(Boolean)
          .join(" ");
  return (
    <p className={css.verdict} role="status" data-right={result?.right ?? undefined} key={result?.record.votes}>
      {words}
    </p>
  );
}
