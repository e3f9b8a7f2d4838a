import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { useCopy } from "../../format/i18n.ts";
import css from "./chat.module.css";
import { chatCopy } from "./copy.ts";

interface PictureCoverProps {
  count: number;
  onShow: () => void;
  onDecline: () => void;
}

/** Stands where pictures of somebody whom the reader does not know would be; not a byte of them is fetched before the press. */
export function PictureCover({ count, onShow, onDecline }: PictureCoverProps) {
  const copy = useCopy(chatCopy);
  return (
    <div className={css.cover}>
      <Icon name="eye-off" size={28} />
      <p>{copy.covered(count)}</p>
      <div className={css.coverActs}>
        <Button onClick={onShow}>{copy.uncover}</Button>
        <Button variant="quiet" onClick={onDecline}>
          {copy.declinePictures}
        </Button>
      </div>
    </div>
  );
}
