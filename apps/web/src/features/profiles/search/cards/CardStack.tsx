import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { useEffect } from "react";
import { pictureUrl } from "../../../../api/picture-url.ts";
import { openProfile } from "../../../../components/MemberTile/profile-transition.ts";
import { useNewMembers } from "../../../../components/MemberTile/use-new-members.ts";
import { SwipeDeck } from "../../../../components/SwipeDeck/SwipeDeck.tsx";
import { useNsfw } from "../../../../device/nsfw.ts";
import css from "./card-stack.module.css";
import { useCardCopy } from "./copy.ts";
import { SwypeCard } from "./SwypeCard.tsx";
import type { Deck } from "./use-deck.ts";

/** Card width in CSS pixels, for preloading the pictures of the next cards. */
const CARD_PX = 480;

export function CardStack({ deck }: { deck: Deck }) {
  const copy = useCardCopy();
  const [nsfw] = useNsfw();
  const current = deck.cards[0];
  const isNew = useNewMembers(deck.cards.map(({ profileId }) => profileId));
  useEffect(() => {
    for (const { profilePicIds } of deck.ahead) {
      if (profilePicIds[0] !== undefined) new Image().src = pictureUrl(profilePicIds[0], CARD_PX, nsfw);
    }
  }, [deck.ahead, nsfw]);

  return (
    <SwipeDeck
      className={css.stack}
      cardClassName={css.card}
      cards={deck.cards.map((member) => ({
        key: member.profileId,
        card: <SwypeCard member={member} isNew={isNew.has(member.profileId)} />,
      }))}
      onVerdict={(verdict) => current && void deck.judge(current, verdict)}
      onUndo={() => void deck.undo()}
    >
      {(send) => (
        <>
          <div className={`stack gap-2 ${css.verdicts}`}>
            <IconButton icon="undo" label={copy.undo} tone="raised" disabled={!deck.last} onClick={deck.undo} />
            <button type="button" onClick={() => send("DISLIKE")}>
              {copy.judged.DISLIKE}
            </button>
            <button type="button" className={css.skip} onClick={() => send("UNDETERMINED")}>
              {copy.skip}
            </button>
            <button type="button" className={css.nice} onClick={() => send("LIKE")}>
              {copy.judged.LIKE}
            </button>
          </div>
          <Button
            full
            label={copy.view}
            onClick={() => current && openProfile(current, deck.remaining, topPicture())}
          />
          <p className={`muted type-mark text-center ${css.keys}`}>{copy.keys}</p>
        </>
      )}
    </SwipeDeck>
  );
}

/** The picture of the top card, from which the transition to the profile starts. */
const topPicture = (): HTMLElement | null => document.querySelector<HTMLElement>("[data-depth='0'] [data-picture]");
