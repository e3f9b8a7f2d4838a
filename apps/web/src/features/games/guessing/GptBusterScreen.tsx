import { BUSTER_ANSWERS, type BusterAnswer } from "@lambda/contract/game-answers";
import type { BusterItem } from "@lambda/contract/games";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useKeys } from "../../../components/use-keys.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { GameTable } from "../table/GameTable.tsx";
import css from "../table/game-table.module.css";
import { usePack } from "../table/use-pack.ts";
import { ScoreLine } from "./ScoreLine.tsx";
import { Verdict } from "./Verdict.tsx";

/** Person or bot: one text at a time. */
export default function GptBusterScreen() {
  const copy = useCopy(gamesCopy);
  const toast = useToast();
  const record = trpc.games.record.useQuery({ game: "buster" });
  const draw = trpc.games.busterDraw.useMutation();
  const pack = usePack<BusterItem>(() => draw.mutateAsync());
  const vote = trpc.games.busterVote.useMutation({
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const answer = (chosen: BusterAnswer) => {
    if (!pack.item) return;
    pack.next(vote.mutateAsync({ itemId: pack.item.itemId, answer: chosen }));
  };
  useKeys({
    1: () => answer("person"),
    2: () => answer("bot"),
    ArrowLeft: () => answer("person"),
    ArrowRight: () => answer("bot"),
  });
  const known = vote.data?.answer;
  const answerText = known === "bot" ? copy.buster.wasBot : known === "person" ? copy.buster.wasPerson : undefined;
  return (
    <GameTable pack={pack} how={copy.buster.how} score={<ScoreLine record={vote.data?.record ?? record.data} />}>
      <h2 className={css.question}>{copy.buster.question}</h2>
      <blockquote className={css.letter} aria-live="polite">
        {pack.item?.text}
      </blockquote>
      <Verdict result={vote.data} answer={answerText} />
      <div className={css.answers}>
        {BUSTER_ANSWERS.map((name, index) => (
          <button key={name} type="button" className={css.answer} onClick={() => answer(name)}>
            <strong>
              {copy.buster[name]} <kbd>{index + 1}</kbd>
            </strong>
          </button>
        ))}
      </div>
    </GameTable>
  );
}
