import type { PlayerRecord } from "@lambda/contract/games";
import { DAY_MS, PROVEN_ACCOUNT_AGE_MS, PROVEN_KNOWN_MIN } from "@lambda/contract/limits";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "../table/game-table.module.css";

/** How the player stands: always the same four figures at the same place, and why votes do not count yet. */
export function ScoreLine({ record, plain }: { record: PlayerRecord | undefined; plain?: boolean }) {
  const copy = useCopy(gamesCopy).score;
  const { streak = 0, bestStreak = 0, accuracy = null, counts = true, tested = 0, credits = 0 } = record ?? {};
  const figures = (
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
            <dt>{copy.vote}</dt>
            <dd>{counts ? copy.counts : copy.counted}</dd>
          </div>
        </>
      )}
      <div>
        <dt>{copy.credits}</dt>
        <dd>{credits}</dd>
      </div>
    </dl>
  );
  if (plain || counts) return figures;
  return (
    <>
      {figures}
      <p className={css.note}>{copy.why(PROVEN_ACCOUNT_AGE_MS / DAY_MS, PROVEN_KNOWN_MIN, tested)}</p>
    </>
  );
}
