import type { PlayerRecord, VoteResult } from "@lambda/contract/games";
import { DAY_MS, PROVEN_ACCOUNT_AGE_MS, PROVEN_KNOWN_MIN } from "@lambda/contract/limits";
import { classes } from "@lambda/ui/classes";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import css from "../layout/game-layout.module.css";
import { useGuessingCopy } from "./copy.ts";

/** The player's score, and an explanation while their votes do not count yet. `compact` leaves out the figures about votes. */
export function ScoreLine({ record, compact }: { record: PlayerRecord | undefined; compact?: boolean }) {
  const copy = useGuessingCopy().score;
  const { streak = 0, bestStreak = 0, accuracy = null, counts = true, tested = 0, credits = 0 } = record ?? {};
  const aboutVotes = [
    [copy.accuracy, accuracy === null ? "–" : `${Math.round(accuracy * 100)} %`],
    [copy.vote, counts ? copy.counts : copy.counted],
  ] as const;
  const figures = [
    [copy.streak, streak],
    ...(compact ? ([[copy.best, bestStreak]] as const) : aboutVotes),
    [copy.credits, credits],
  ] as const;
  return (
    <>
      <dl className={`flex gap-3 between ${css.score}`} aria-label={copy.label}>
        {figures.map(([name, value]) => (
          <div key={name} className="stack">
            <dt className="muted type-mark">{name}</dt>
            <dd className={classes("type-lead bold", name === copy.streak && streak >= 3 && "accent")}>{value}</dd>
          </div>
        ))}
      </dl>
      {!compact && !counts && (
        <p className="muted type-mark">{copy.why(PROVEN_ACCOUNT_AGE_MS / DAY_MS, PROVEN_KNOWN_MIN, tested)}</p>
      )}
    </>
  );
}

/** The result of the last vote. `answer` says which answer was right, in the game's words. */
export function VoteFeedback({ result, answer }: { result: VoteResult | undefined; answer?: string | undefined }) {
  const copy = useGuessingCopy();
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
  const tone = result?.right == null ? "muted" : result.right ? "success bold" : "warn bold";
  return (
    <p className={`text-center ${tone} ${css.verdict}`} role="status" key={result?.record.votes}>
      {text}
    </p>
  );
}

interface AnswerButtonsProps<Answer extends string> {
  answers: readonly Answer[];
  labels: Readonly<Record<Answer, string>>;
  helpOf?: (answer: Answer) => string;
  disabled?: boolean;
  onAnswer: (answer: Answer) => void;
}

/** The possible answers, which the number keys choose too. */
export function AnswerButtons<Answer extends string>(props: AnswerButtonsProps<Answer>) {
  const { answers, labels, helpOf, disabled, onAnswer } = props;
  useKeyboardShortcuts(Object.fromEntries(answers.map((answer, index) => [index + 1, () => onAnswer(answer)])));
  return (
    <div className={"stack gap-2 two-columns"}>
      {answers.map((answer, index) => (
        <button
          key={answer}
          type="button"
          className={`stack tall raised radius-2 text-start ${css.answer}`}
          data-tone={answer === "rule_breaking" ? "danger" : undefined}
          disabled={disabled}
          onClick={() => onAnswer(answer)}
        >
          <strong className="flex between gap-2">
            {labels[answer]} <kbd>{index + 1}</kbd>
          </strong>
          {helpOf && <small>{helpOf(answer)}</small>}
        </button>
      ))}
    </div>
  );
}
