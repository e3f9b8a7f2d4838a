import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { useEffect, useRef } from "react";
import { pictureUrl } from "../../../api/picture-url.ts";
import { openProfile } from "../../../components/MemberTile/grow-into.ts";
import type { Verdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useSwipe } from "../../../components/SwipeDeck/use-swipe.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { searchCopy } from "../copy.ts";
import css from "./card-stack.module.css";
import { SwypeCard } from "./SwypeCard.tsx";
import type { Deck } from "./use-deck.ts";

const KEYS: Record<string, Verdict> = { ArrowRight: "LIKE", ArrowLeft: "DISLIKE", ArrowDown: "UNDETERMINED" };
/** Card width in CSS pixels, for loading the pictures of the cards below. */
const CARD_PX = 480;

/** The stack and its buttons. The top card follows the finger; keys and buttons send it off the same way. */
export function CardStack({ deck }: { deck: Deck }) {
  const copy = useCopy(searchCopy);
  const [nsfw] = useNsfw();
  const top = useRef<HTMLDivElement>(null);
  const current = deck.cards[0];
  const { handlers, flyOff } = useSwipe(top, (verdict) => {
    if (current) void deck.judge(current, verdict);
  });
  const send = (verdict: Verdict) => current && flyOff(verdict);

  const act = useRef<(key: string) => boolean>(() => false);
  act.current = (key) => {
    const verdict = KEYS[key];
    if (verdict) send(verdict);
    else if (key === "u" || key === "Backspace") void deck.undo();
    else if (key === "ArrowUp") return true;
    else return false;
    return true;
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog")) return;
      if (act.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);

  useEffect(() => {
    for (const { profilePicIds } of deck.ahead) {
      if (profilePicIds[0] !== undefined) new Image().src = pictureUrl(profilePicIds[0], CARD_PX, nsfw);
    }
  }, [deck.ahead, nsfw]);

  return (
    <>
      <div className={css.stack}>
        {deck.cards.map((member, index) => (
          <div
            key={member.profileId}
            ref={index === 0 ? top : undefined}
            className={css.card}
            data-depth={index}
            inert={index > 0}
            {...(index === 0 && handlers)}
          >
            <SwypeCard member={member} />
          </div>
        ))}
      </div>
      <div className={css.verdicts}>
        <IconButton icon="undo" label={copy.undo} tone="raised" disabled={!deck.last} onClick={deck.undo} />
        <button type="button" className={css.meh} onClick={() => send("DISLIKE")}>
          {copy.meh}
        </button>
        <button type="button" className={css.skip} onClick={() => send("UNDETERMINED")}>
          {copy.skip}
        </button>
        <button type="button" className={css.nice} onClick={() => send("LIKE")}>
          {copy.nice}
        </button>
      </div>
      <Button
        full
        onClick={() =>
          current && openProfile(current, top.current?.querySelector<HTMLElement>("[data-picture]") ?? null)
        }
      >
        {copy.view}
      </Button>
      <p className={css.keys}>{copy.keys}</p>
    </>
  );
}
