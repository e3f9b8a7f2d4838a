import type { IdentifyRound } from "@lambda/contract/games";
import { IDENTIFY_SHOWN_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { initialOf } from "@lambda/ui/initial";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useEffectEvent, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { gamePictureSource, pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { displayName } from "../../../format/display-name.ts";
import { GameIllustration } from "../layout/GameIllustration.tsx";
import { HowItWorks } from "../layout/GameLayout.tsx";
import layout from "../layout/game-layout.module.css";
import { useGuessingCopy } from "./copy.ts";
import css from "./identify.module.css";
import { ScoreLine } from "./vote-parts.tsx";

type Phase = "ready" | "memorize" | "ask" | "answered";

/** Shows a picture for three seconds; then the player picks which of three members it was. */
export default function IdentifyScreen() {
  const copy = useGuessingCopy().identify;
  const game = useIdentifyGame();
  const { phase, round, start } = game;
  return (
    <div className="stack gap-3 centered narrow mt-2">
      <ScoreLine compact record={game.record} />
      {start.isError && <EmptyState figure="lamp" title={copy.tooFew} text={errorText(start.error)} />}
      {phase === "ready" && !start.isError && (
        <div className="stack gap-4">
          <div className={`pad-4 tint radius-3 ${css.drawing}`}>
            <GameIllustration game="identify" />
          </div>
          <p className="type-name bold font-display text-center">{copy.ready}</p>
          <Button variant="primary" full busy={start.isPending} label={copy.start} onClick={game.next} />
        </div>
      )}
      {phase === "memorize" && round && <PictureStage round={round} isShown={game.isPictureShown} />}
      {(phase === "ask" || phase === "answered") && round && <Question game={game} round={round} />}
      <HowItWorks text={copy.how} />
    </div>
  );
}

type IdentifyGame = ReturnType<typeof useIdentifyGame>;

function useIdentifyGame() {
  const [nsfw] = useNsfw();
  const record = trpc.games.record.useQuery({ game: "identify" });
  const [round, setRound] = useState<IdentifyRound>();
  const [phase, setPhase] = useState<Phase>("ready");
  const start = trpc.games.identifyStart.useMutation({
    onSuccess: (next) => {
      setRound(next);
      setPhase("memorize");
    },
  });
  const answer = trpc.games.identifyAnswer.useMutation({ onSuccess: () => setPhase("answered") });
  const isPictureShown = usePictureTimer(phase === "memorize" ? round : undefined, () => setPhase("ask"));

  const choose = (index: number) => {
    const option = round?.options[index];
    if (phase === "ask" && option && !answer.isPending) answer.mutate({ profileId: option.profileId });
  };
  const next = () => {
    if (phase === "ready" || phase === "answered") start.mutate({ nsfw });
  };
  useKeyboardShortcuts({ 1: () => choose(0), 2: () => choose(1), 3: () => choose(2), Enter: next });
  return {
    record: answer.data?.record ?? record.data,
    result: phase === "answered" ? answer.data : undefined,
    phase,
    round,
    start,
    isPictureShown,
    choose,
    next,
  };
}

/** Starts the three seconds when the picture has loaded. Returns whether it is shown. */
function usePictureTimer(round: IdentifyRound | undefined, onTimeUp: () => void): boolean {
  const [nsfw] = useNsfw();
  const [shownRound, setShownRound] = useState<IdentifyRound>();
  const endTime = useEffectEvent(onTimeUp);
  useEffect(() => {
    if (!round) return;
    const image = new Image();
    image.src = gamePictureSource("identify", round.round, nsfw)(1024);
    const show = () => setShownRound(round);
    withDeadline(MEDIA_WAIT_MS, () => image.decode()).then(show, show);
  }, [round, nsfw]);
  const isShown = round !== undefined && shownRound === round;
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => endTime(), IDENTIFY_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  return isShown;
}

function PictureStage({ round, isShown }: { round: IdentifyRound; isShown: boolean }) {
  const copy = useGuessingCopy().identify;
  const [nsfw] = useNsfw();
  return (
    <div className={`centered radius-2 relative clip ${layout.stage}`}>
      <Picture
        alt={copy.picture}
        src={gamePictureSource("identify", round.round, nsfw)}
        sizes="30rem"
        eager
        initial=" "
      />
      {isShown && (
        <span
          className={`full-width ${css.clock}`}
          aria-hidden="true"
          style={{ animationDuration: `${IDENTIFY_SHOWN_MS}ms` }}
        />
      )}
    </div>
  );
}

function Question({ game, round }: { game: IdentifyGame; round: IdentifyRound }) {
  const copy = useGuessingCopy().identify;
  const [nsfw] = useNsfw();
  const { result } = game;
  const answer = round.options.find((option) => option.profileId === result?.answerId);
  return (
    <>
      <h2 className="type-name bold font-display text-center" aria-live="polite">
        {answer ? (result?.right ? copy.right : copy.wrong)(displayName(answer.name)) : copy.question}
      </h2>
      <div className="stack gap-2 three-columns">
        {round.options.map((option, index) => (
          <button
            key={option.profileId}
            type="button"
            className={`stack raised radius-2 clip text-center ${css.option}`}
            disabled={game.phase === "answered"}
            data-answer={result ? option.profileId === result.answerId : undefined}
            onClick={() => game.choose(index)}
          >
            <Picture
              alt=""
              initial={initialOf(option.name)}
              sizes="10rem"
              src={pictureSource(option.pictureId, nsfw)}
            />
            <strong>{displayName(option.name)}</strong>
            <small>{option.age ?? ""}</small>
          </button>
        ))}
      </div>
      {result && (
        <div className="stack gap-4">
          <Button variant="primary" full busy={game.start.isPending} label={copy.next} onClick={game.next} />
          <Button variant="quiet" full href={`/profile/${result.answerId}`} label={copy.profile} />
        </div>
      )}
    </>
  );
}
