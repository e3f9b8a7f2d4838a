import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import type { ReactNode } from "react";
import { QueryState } from "../../../components/QueryState.tsx";
import { useGamesCopy } from "../copy.ts";
import type { Pack } from "./use-pack.ts";

interface GameLayoutProps {
  pack: Pick<Pack<unknown>, "state" | "error" | "load">;
  /** Shown at the top. */
  score?: ReactNode;
  /** Explains what a vote does. */
  how: string;
  children: ReactNode;
}

/** The frame of a vote game: the score, the current item or the state of its pack, and the explanation. */
export function GameLayout({ pack, score, how, children }: GameLayoutProps) {
  const copy = useGamesCopy();
  const query = { error: pack.state === "failed" && pack.error, isFetching: false, refetch: pack.load };
  return (
    <div className="stack gap-3 centered narrow mt-2">
      {score}
      {(pack.state === "loading" || pack.state === "failed") && (
        <QueryState query={query} failed={copy.failed} height="min(60dvh, 30rem)" width="100%" label={copy.loading} />
      )}
      {(pack.state === "done" || pack.state === "limitReached") && (
        <EmptyState
          figure="lamp"
          title={pack.state === "done" ? copy.doneTitle : copy.limitTitle}
          text={pack.state === "done" ? copy.doneText : copy.limitText}
          action={<Button href="/games" label={copy.back} />}
        />
      )}
      {pack.state === "playing" && children}
      <HowItWorks text={how} />
    </div>
  );
}

export function HowItWorks({ text }: { text: string }) {
  const copy = useGamesCopy();
  return (
    <details className="muted">
      <summary className="row accent">{copy.howItWorks}</summary>
      <p className="measure">{text}</p>
    </details>
  );
}
