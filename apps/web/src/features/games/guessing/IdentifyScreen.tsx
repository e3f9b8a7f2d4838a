import type { IdentifyRound } from "@lambda/contract/games";
import { IDENTIFY_SHOWN_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Picture } from "@lambda/ui/picture";
import { useEffect, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { gamePictureSource, pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { useKeys } from "../../../components/use-keys.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { gamesCopy } from "../copy.ts";
import { Drawing } from "../table/Drawing.tsx";
import { HowItWorks } from "../table/GameTable.tsx";
import table from "../table/game-table.module.css";
import css from "./identify.module.css";
import { ScoreLine } from "./ScoreLine.tsx";

/** Three seconds of a picture, then three men: which of them was it? */
export default function IdentifyScreen() {
  const copy = useCopy(gamesCopy).identify;
  const [nsfw] = useNsfw();
  const record = trpc.games.record.useQuery({ game: "identify" });
  const [round, setRound] = useState<IdentifyRound>();
  const [phase, setPhase] = useState<"ready" | "look" | "ask" | "told">("ready");
  const [seen, setSeen] = useState(false);
  const start = trpc.games.identifyStart.useMutation({
    onSuccess: (next) => {
      setRound(next);
      setSeen(false);
      setPhase("look");
    },
  });
  const answer = trpc.games.identifyAnswer.useMutation({ onSuccess: () => setPhase("told") });

  // The three seconds begin when the picture is there, not when it was asked for.
  useEffect(() => {
    if (phase !== "look" || !seen) return;
    const timer = setTimeout(() => setPhase("ask"), IDENTIFY_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [phase, seen]);
  useEffect(() => {
    if (phase !== "look" || !round) return;
    const image = new Image();
    image.src = gamePictureSource("identify", round.round, nsfw)(1024);
    const show = () => setSeen(true);
    image.decode().then(show, show);
  }, [phase, round, nsfw]);

  const choose = (index: number) => {
    const option = round?.options[index];
    if (phase === "ask" && option && !answer.isPending) answer.mutate({ profileId: option.profileId });
  };
  const go = () => {
    if (phase === "ready" || phase === "told") start.mutate({ nsfw });
  };
  useKeys({ 1: () => choose(0), 2: () => choose(1), 3: () => choose(2), Enter: go });

  const result = phase === "told" ? answer.data : undefined;
  const answered = round?.options.find((option) => option.profileId === result?.answerId);
  return (
    <div className={table.table}>
      <ScoreLine plain record={answer.data?.record ?? record.data} />
      {start.isError && <EmptyState figure="lamp" title={copy.tooFew} text={errorText(start.error)} />}
      {phase === "ready" && !start.isError && (
        <div className={css.ready}>
          <div className={css.drawing}>
            <Drawing game="identify" />
          </div>
          <p className={table.question}>{copy.ready}</p>
          <Button variant="primary" full busy={start.isPending} onClick={go}>
            {copy.start}
          </Button>
        </div>
      )}
      {phase === "look" && round && (
        <div className={table.stage}>
          <Picture
            alt={copy.picture}
            src={gamePictureSource("identify", round.round, nsfw)}
            sizes="30rem"
            eager
            initial=" "
          />
          {seen && (
            <span className={css.clock} aria-hidden="true" style={{ animationDuration: `${IDENTIFY_SHOWN_MS}ms` }} />
          )}
        </div>
      )}
      {(phase === "ask" || phase === "told") && round && (
        <>
          <h2 className={table.question} aria-live="polite">
            {answered ? (result?.right ? copy.right : copy.wrong)(shownName(answered.name)) : copy.question}
          </h2>
          <div className={css.options}>
            {round.options.map((option, index) => (
              <button
                key={option.profileId}
                type="button"
                className={css.option}
                disabled={phase === "told"}
                data-answer={result ? option.profileId === result.answerId : undefined}
                onClick={() => choose(index)}
              >
                <Picture
                  alt=""
                  initial={option.name.trim().charAt(0)}
                  sizes="10rem"
                  src={pictureSource(option.pictureId, nsfw)}
                />
                <strong>{shownName(option.name)}</strong>
                <small>{option.age ?? ""}</small>
              </button>
            ))}
          </div>
          {phase === "told" && result && (
            <div className={css.after}>
              <Button variant="primary" full busy={start.isPending} onClick={go}>
                {copy.next}
              </Button>
              <Button variant="quiet" full href={`/profile/${result.answerId}`}>
                {copy.profile}
              </Button>
            </div>
          )}
        </>
      )}
      <HowItWorks text={copy.how} />
    </div>
  );
}
