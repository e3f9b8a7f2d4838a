import type { PlayerRecord } from "@lambda/contract/games";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "../table/game-table.module.css";

/** How the player stands: always the same four numbers at the same place. */
export function ScoreLine({ record, plain }: { record: PlayerRecord | undefined; plain?: boolean }) {
  const copy = useCopy(gamesCopy).score;
  const { streak = 0, bestStreak = 0, accuracy = null, weight = 1, credits = 0 } = record ?? {};
  return (
    <dl className={css.score} aria-label={copy.label}>
      <div>
        <dt>{copy.streak}</dt>
        <dd data-hot={streak >= 3 || undefined}>{streak}</dd>
      </div>
      {plain ? (
        <div>
          <dt>{copy.best}</dt>
          <dd>{bestStreak}</dd>
        </div>
      ) : (
        <>
          <div>
            <dt>{copy.accuracy}</dt>
            <dd>{accuracy === null ? "–" : `${Math.round(accuracy * 100)} %`}</dd>
          </div>
          <div>
            <dt>{copy.weight}</dt>
            <dd>{copy.times(weight)}</dd>
          </div>
        </>
      )}
      <div>
        <dt>{copy.credits}</dt>
        <dd>{credits}</dd>
      </div>
    </dl>
  );
}
