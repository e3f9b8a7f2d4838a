import { BUSTER_ANSWERS, type BusterAnswer } from "@lambda/contract/game-answers";
import type { BusterItem } from "@lambda/contract/games";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { GameLayout } from "../layout/GameLayout.tsx";
import css from "../layout/game-layout.module.css";
import { usePack } from "../layout/use-pack.ts";
import { useGuessingCopy } from "./copy.ts";
import { AnswerButtons, ScoreLine, VoteFeedback } from "./vote-parts.tsx";

export default function GptBusterScreen() {
  const copy = useGuessingCopy();
  const record = trpc.games.record.useQuery({ game: "buster" });
  const draw = trpc.games.busterDraw.useMutation();
  const pack = usePack<BusterItem>(() => draw.mutateAsync());
  const vote = trpc.games.busterVote.useMutation({ onError: useFailureToast() });
  const answer = (chosen: BusterAnswer) => pack.advance(({ itemId }) => vote.mutateAsync({ itemId, answer: chosen }));
  useKeyboardShortcuts({
    ArrowLeft: () => answer("person"),
    ArrowRight: () => answer("bot"),
  });
  const correctAnswer = vote.data?.answer;
  const answerText =
    correctAnswer === "bot" ? copy.buster.wasBot : correctAnswer === "person" ? copy.buster.wasPerson : undefined;
  return (
    <GameLayout pack={pack} how={copy.buster.how} score={<ScoreLine record={vote.data?.record ?? record.data} />}>
      <h2 className="type-name bold font-display text-center">{copy.buster.question}</h2>
      <blockquote className={`stack raised type-lead pre-line ${css.letter}`} aria-live="polite">
        {pack.item?.text}
      </blockquote>
      <VoteFeedback result={vote.data} answer={answerText} />
      <AnswerButtons answers={BUSTER_ANSWERS} labels={copy.buster} onAnswer={answer} />
    </GameLayout>
  );
}
