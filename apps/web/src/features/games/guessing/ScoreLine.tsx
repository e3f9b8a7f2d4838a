import type { PlayerRecord } from "@lambda/contract/games";
import { DAY_MS, PROVEN_ACCOUNT_AGE_MS, PROVEN_KNOWN_MIN } from "@lambda/contract/limits";
import { useCopy } from "../../../format/i18n.ts";
import css from "../layout/game-layout.module.css";
import { guessingCopy } from "./copy.ts";

/** The player's score, and an explanation while their votes do not count yet. `compact` leaves out the figures about votes. */
export function ScoreLine({ record, compact }: { record: PlayerRecord | undefined; compact?: boolean }) {
  const copy = useCopy(guessingCopy).score;
  const { streak = 0, bestStreak = 0, accuracy = null, counts = true, tested = 0, credits = 0 } = record ?? {};
  const figures = (
    <dl className={`flex gap-3 between ${css.score}`} aria-label={copy.label}>
      <div>
        <dt>{copy.streak}</dt>
        <dd data-hot={streak >= 3 || undefined}>{streak}</dd>
      </div>
      {compact ? (
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
  if (compact || counts) return figures;
  return (
    <>
      {figures}
      <p className="muted type-mark">{copy.why(PROVEN_ACCOUNT_AGE_MS / DAY_MS, PROVEN_KNOWN_MIN, tested)}</p>
    </>
  );
}
