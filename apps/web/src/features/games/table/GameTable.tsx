import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { Skeleton } from "@lambda/ui/skeleton";
import type { ReactNode } from "react";
import { errorText } from "../../../api/error-text.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "./game-table.module.css";
import type { Pack } from "./use-pack.ts";

interface GameTableProps {
  pack: Pick<Pack<unknown>, "state" | "error" | "deal">;
  /** Above the table: the score. */
  score?: ReactNode;
  /** What a vote does, in plain words. */
  how: string;
  children: ReactNode;
}

/** Where a game is played: score, the thing to judge, the buttons in the thumb's reach, and what it all does. */
export function GameTable({ pack, score, how, children }: GameTableProps) {
  const copy = useCopy(gamesCopy);
  return (
    <div className={css.table}>
      {score}
      {pack.state === "dealing" && <Skeleton height="min(60dvh, 30rem)" width="100%" label={copy.loading} />}
      {pack.state === "failed" && (
        <ErrorState title={copy.failed} text={errorText(pack.error)} retryLabel={copy.retry} onRetry={pack.deal} />
      )}
      {(pack.state === "done" || pack.state === "rest") && (
        <EmptyState
          figure="lamp"
          title={pack.state === "done" ? copy.doneTitle : copy.restTitle}
          text={pack.state === "done" ? copy.doneText : copy.restText}
          action={<Button href="/games">{copy.back}</Button>}
        />
      )}
      {pack.state === "playing" && children}
      <HowItWorks text={how} />
    </div>
  );
}

export function HowItWorks({ text }: { text: string }) {
  const copy = useCopy(gamesCopy);
  return (
    <details className={css.how}>
      <summary>{copy.how}</summary>
      <p>{text}</p>
    </details>
  );
}
