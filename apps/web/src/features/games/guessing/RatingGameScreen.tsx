import { RATING_ANSWERS, type RatingAnswer } from "@lambda/contract/game-answers";
import type { RatingItem } from "@lambda/contract/games";
import { Picture } from "@lambda/ui/picture";
import { useEffect } from "react";
import { gamePictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { GameLayout } from "../layout/GameLayout.tsx";
import css from "../layout/game-layout.module.css";
import { usePack } from "../layout/use-pack.ts";
import { useGuessingCopy } from "./copy.ts";
import { AnswerButtons, ScoreLine, VoteFeedback } from "./vote-parts.tsx";

/** The player rates a picture as safe, suggestive, explicit or against the rules. The consensus decides what is pixelated. */
export default function RatingGameScreen() {
  const copy = useGuessingCopy();
  const [nsfw] = useNsfw();
  const record = trpc.games.record.useQuery({ game: "rating" });
  const draw = trpc.games.ratingDraw.useMutation();
  const pack = usePack<RatingItem>(() => draw.mutateAsync({ nsfw }));
  const vote = trpc.games.ratingVote.useMutation({ onError: useFailureToast() });
  const { item, upcoming } = pack;
  // Only players who show NSFW pictures are given marked ones, and rate them unpixelated.
  const sourceOf = ({ itemId, nsfw: isMarked }: RatingItem) =>
    gamePictureSource("ratinggame", itemId, nsfw && isMarked);
  const answer = (chosen: RatingAnswer) => pack.advance(({ itemId }) => vote.mutateAsync({ itemId, answer: chosen }));
  useEffect(() => {
    if (upcoming) new Image().src = gamePictureSource("ratinggame", upcoming.itemId, nsfw && upcoming.nsfw)(512);
  }, [upcoming, nsfw]);

  return (
    <GameLayout pack={pack} how={copy.rating.how} score={<ScoreLine record={vote.data?.record ?? record.data} />}>
      <AgeNotice />
      <h2 className="type-name bold font-display text-center">{copy.rating.question}</h2>
      {item && (
        <div className={`centered radius-2 relative clip ${css.stage}`} data-small key={item.itemId}>
          <Picture
            alt={copy.rating.picture}
            src={sourceOf(item)}
            sizes="(width < 34rem) 100vw, 30rem"
            eager
            initial=" "
          />
        </div>
      )}
      <VoteFeedback result={vote.data} />
      <AnswerButtons
        answers={RATING_ANSWERS}
        labels={copy.rating}
        helpOf={(name) => copy.rating[`${name}Help`]}
        onAnswer={answer}
      />
      {!nsfw && <p className="muted type-mark">{copy.nsfwNote}</p>}
    </GameLayout>
  );
}
