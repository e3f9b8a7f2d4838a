import { PROFILE_CACHE_MS } from "@lambda/contract/limits";
import type { ChatPartner } from "@lambda/contract/messages";
import { OPENERS } from "@lambda/contract/openers";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { trpc } from "../../../../api/trpc.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";

const TAGS_SHOWN = 2;

interface EmptyThreadProps {
  other: ChatPartner | null;
  /** Fills the field; nothing is sent. */
  onOpenerPress: (text: string) => void;
}

/** Before the first message: the other's picture, what both like, and three ways to begin. */
export function EmptyThread({ other, onOpenerPress }: EmptyThreadProps) {
  const copy = useChatCopy();
  const [locale] = useLocale();
  return (
    <div className={`flex gap-3 text-center ${css.beginning}`}>
      <PartnerAvatar other={other && { ...other, online: false }} size={112} />
      <h3>{copy.sayHello}</h3>
      {other && <SharedTags id={other.profileId} />}
      <div className="wrap gap-2 justify-center">
        {OPENERS[locale].map((text) => (
          <Button key={text} label={text} onClick={() => onOpenerPress(text)} />
        ))}
      </div>
    </div>
  );
}

function SharedTags({ id }: { id: number }) {
  const copy = useChatCopy();
  const { tagName } = useTagNames();
  const his = trpc.profiles.get.useQuery({ id }, { staleTime: PROFILE_CACHE_MS });
  const mine = trpc.profiles.mine.useQuery();
  const own = mine.data?.items[0]?.characteristics ?? [];
  const shared = his.data?.characteristics.filter((tag) => own.includes(tag)).slice(0, TAGS_SHOWN) ?? [];
  return (
    <div className={`row wrap gap-2 justify-center ${css.shared}`}>
      {shared.length > 0 && (
        <>
          <span className="muted">{copy.bothLike}</span>
          <ChipRow>
            {shared.map((tag) => (
              <Chip key={tag} selected label={tagName(tag)} />
            ))}
          </ChipRow>
        </>
      )}
    </div>
  );
}
