import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import css from "./chat.module.css";
import { useChatCopy } from "./copy.ts";

interface PictureCoverProps {
  count: number;
  onShow: () => void;
  onDecline: () => void;
}

/** Hides pictures from a stranger; no picture is fetched before the reader presses Show. */
export function PictureCover({ count, onShow, onDecline }: PictureCoverProps) {
  const copy = useChatCopy();
  return (
    <div className={`stack gap-2 items-center raised radius-2 muted type-mark text-center ${css.cover}`}>
      <Icon name="eye-off" size={28} />
      <p>{copy.covered(count)}</p>
      <div className="wrap gap-2 justify-center">
        <Button label={copy.uncover} onClick={onShow} />
        <Button variant="quiet" label={copy.declinePictures} onClick={onDecline} />
      </div>
    </div>
  );
}
