import { RATING_ANSWERS, type RatingAnswer } from "@lambda/contract/game-answers";
import type { RatingItem } from "@lambda/contract/games";
import { Picture } from "@lambda/ui/picture";
import { useToast } from "@lambda/ui/toast";
import { useEffect } from "react";
import { errorText } from "../../../api/error-text.ts";
import { gamePictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { GameTable } from "../table/GameTable.tsx";
import css from "../table/game-table.module.css";
import { usePack } from "../table/use-pack.ts";
import { ScoreLine } from "./ScoreLine.tsx";
import { Verdict } from "./Verdict.tsx";

/** Safe, suggestive, explicit or against the rules: the consensus decides what is blurred. */
export default function RatingGameScreen() {
  const copy = useCopy(gamesCopy);
  const toast = useToast();
  const [nsfw] = useNsfw();
  const record = trpc.games.record.useQuery({ game: "rating" });
  const draw = trpc.games.ratingDraw.useMutation();
  const pack = usePack<RatingItem>(() => draw.mutateAsync({ nsfw }));
  const vote = trpc.games.ratingVote.useMutation({
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const { item, coming } = pack;
  // Marked pictures come only to who shows them, and those are judged as they are.
  const source = (shown: RatingItem) => gamePictureSource("ratinggame", shown.itemId, nsfw && shown.nsfw);
  const answer = (chosen: RatingAnswer) => {
    if (!item) return;
    pack.next(vote.mutateAsync({ itemId: item.itemId, answer: chosen }));
  };
  useKeys(Object.fromEntries(RATING_ANSWERS.map((name, index) => [String(index + 1), () => answer(name)])));
  useEffect(() => {
    if (coming) new Image().src = gamePictureSource("ratinggame", coming.itemId, nsfw && coming.nsfw)(512);
  }, [coming, nsfw]);

  return (
    <GameTable pack={pack} how={copy.rating.how} score={<ScoreLine record={vote.data?.record ?? record.data} />}>
      <AgeNotice />
      <h2 className={css.question}>{copy.rating.question}</h2>
      {item && (
        <div className={css.stage} data-small key={item.itemId}>
          <Picture
            alt={copy.rating.picture}
            src={source(item)}
            sizes="(width < 34rem) 100vw, 30rem"
            eager
            initial=" "
          />
        </div>
      )}
      <Verdict result={vote.data} />
      <div className={css.answers}>
        {RATING_ANSWERS.map((name, index) => (
          <button
            key={name}
            type="button"
            className={css.answer}
            data-tone={name === "rule_breaking" ? "danger" : undefined}
            onClick={() => answer(name)}
          >
            <strong>
              {copy.rating[name]} <kbd>{index + 1}</kbd>
            </strong>
            <small>{copy.rating[`${name}Help`]}</small>
          </button>
        ))}
      </div>
      {!nsfw && <p className={css.note}>{copy.nsfwNote}</p>}
    </GameTable>
  );
}
