import { CHECK_SHOWN_MS } from "@lambda/contract/limits";
import type { CheckVote, PersonCheckItem } from "@lambda/contract/person-check";
import { Button } from "@lambda/ui/button";
import { useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { ReportDialog } from "../../../components/ReportDialog/ReportDialog.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { AnswerButtons, ScoreLine, VoteFeedback } from "../guessing/vote-parts.tsx";
import { GameLayout } from "../layout/GameLayout.tsx";
import { usePack } from "../layout/use-pack.ts";
import { useIsHimCopy } from "./copy.ts";
import pairs from "./pairs.module.css";

/** Not imported from the contract, whose schemas need zod. */
const ANSWERS: readonly CheckVote[] = ["him", "no_pose", "not_him", "unclear"];
const PAIRS = [0, 1, 2];
/** A picture that has not loaded by then will not, since the server shows them no longer. */
const LOAD_MS = 20_000;

/** The player compares a member's stills with their public pictures, each pair for three seconds. */
export default function IsItHimScreen() {
  const copy = useIsHimCopy();
  const record = trpc.games.record.useQuery({ game: "check" });
  const draw = trpc.personCheck.draw.useMutation();
  const pack = usePack<PersonCheckItem>(() => draw.mutateAsync());
  const vote = trpc.personCheck.vote.useMutation({ onError: useFailureToast() });
  const { item } = pack;
  const [seenItem, setSeenItem] = useState<number>();
  const isSeen = item !== undefined && seenItem === item.itemId;
  const [isReporting, setReporting] = useState(false);
  const answer = (chosen: CheckVote) => {
    if (isSeen && !isReporting) pack.advance(({ itemId }) => vote.mutateAsync({ itemId, answer: chosen }));
  };
  const known = vote.data?.answer;
  return (
    <GameLayout pack={pack} how={copy.how} score={<ScoreLine record={vote.data?.record ?? record.data} />}>
      <h2 className="type-name bold font-display text-center">{copy.question}</h2>
      {item && (
        <>
          <p className="muted">
            {copy.pose(item.pose)} {copy.exercise}
          </p>
          <PairsInTurn
            key={item.itemId}
            itemId={item.itemId}
            onSeen={() => setSeenItem(item.itemId)}
            onReport={() => setReporting(true)}
          />
          <ReportDialog
            reported={isReporting ? { checkItemId: item.itemId } : undefined}
            onClose={() => setReporting(false)}
            onSent={() => {
              setReporting(false);
              pack.advance(() => Promise.resolve());
            }}
          />
        </>
      )}
      <VoteFeedback result={vote.data} answer={known === "no_pose" ? copy.wasHim : known ? copy.wasNot : undefined} />
      <AnswerButtons answers={ANSWERS} labels={copy} disabled={!isSeen} onAnswer={answer} />
    </GameLayout>
  );
}

/** Loads all pictures first, then shows one pair after the other, once. */
function PairsInTurn({ itemId, onSeen, onReport }: { itemId: number; onSeen: () => void; onReport: () => void }) {
  const copy = useIsHimCopy();
  const [isAsked, setAsked] = useState(false);
  const [loaded, setLoaded] = useState(0);
  const [isBroken, setBroken] = useState(false);
  /** Pictures whose answer was lost, which the server sends again for a moment. */
  const [again, setAgain] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(-1);
  const isLoaded = loaded === PAIRS.length * 2;
  const isOver = isBroken || shown === PAIRS.length;
  useEffect(() => {
    if (isLoaded) setShown(0);
    if (isLoaded || !isAsked) return;
    const timer = setTimeout(() => setBroken(true), LOAD_MS);
    return () => clearTimeout(timer);
  }, [isLoaded, isAsked]);
  useEffect(() => {
    if (shown < 0 || shown >= PAIRS.length) return;
    const timer = setTimeout(() => setShown(shown + 1), CHECK_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever the callback is by then
  useEffect(() => {
    if (isOver) onSeen();
  }, [isOver]);
  const text = isBroken ? copy.failed : isOver ? copy.seen : shown < 0 ? copy.loading : copy.pair(shown + 1);
  return (
    <div
      className={`stack gap-2 items-center radius-2 relative ${pairs.stage}`}
      data-small={!isAsked || isOver || undefined}
    >
      {!isAsked && (
        <>
          <p>{copy.ready}</p>
          <Button variant="primary" icon="eye" label={copy.show} onClick={() => setAsked(true)} />
        </>
      )}
      {isAsked && <p role="status">{text}</p>}
      {shown === PAIRS.length && (
        <Button variant="quiet" icon="flag" aria-haspopup="dialog" label={copy.report} onClick={onReport} />
      )}
      {isAsked &&
        !isOver &&
        PAIRS.map((pair) => (
          <div key={pair} className={`stack two-columns gap-1 ${pairs.pair}`} data-shown={pair === shown || undefined}>
            {[copy.first, copy.second].map((alt, side) => {
              const index = pair * 2 + side;
              return (
                <img
                  key={alt}
                  alt={pair === shown ? alt : ""}
                  src={`/api/games/ishim/picture/${itemId}/${index}${again.has(index) ? "?again=1" : ""}`}
                  onLoad={() => setLoaded((count) => count + 1)}
                  onError={() =>
                    again.has(index) ? setBroken(true) : setAgain((before) => new Set(before).add(index))
                  }
                />
              );
            })}
          </div>
        ))}
    </div>
  );
}
