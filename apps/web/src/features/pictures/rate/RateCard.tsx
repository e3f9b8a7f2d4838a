import type { LikeType } from "@lambda/contract/likes";
import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { classes } from "@lambda/ui/classes";
import { Icon } from "@lambda/ui/icon";
import { Picture } from "@lambda/ui/picture";
import type { CSSProperties } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { useSwipe } from "../../../components/SwipeDeck/use-throw.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./rate-stack.module.css";

type Verdict = "LIKE" | "DISLIKE" | "UNDETERMINED";

/** A card that is on its way out. */
export interface Leaving {
  readonly picture: PictureMeta;
  readonly verdict: Verdict;
}

export interface RateCardProps {
  picture: PictureMeta;
  label: string;
  /** What he said of it before. */
  rating?: LikeType | undefined;
  top?: boolean;
  leaving?: Verdict;
  onVerdict?: (verdict: Verdict) => void;
}

/** Turns with the finger, and shows the verdict before it is given. */
const DEGREES_PER_PX = 0.05;
const SURE_PX = 110;

export function RateCard({ picture, label, rating, top = false, leaving, onVerdict }: RateCardProps) {
  const copy = useCopy(picturesCopy);
  const [nsfw] = useNsfw();
  const { offset, held, handlers } = useSwipe({
    onRight: () => onVerdict?.("LIKE"),
    onLeft: () => onVerdict?.("DISLIKE"),
    onDown: () => onVerdict?.("UNDETERMINED"),
  });
  const down = offset.y > Math.abs(offset.x);
  const sure = Math.min(1, Math.max(Math.abs(offset.x), offset.y) / SURE_PX);
  const verdict: Verdict | undefined =
    leaving ?? (sure < 0.15 ? undefined : down ? "UNDETERMINED" : offset.x > 0 ? "LIKE" : "DISLIKE");
  const style = {
    translate: `${offset.x}px ${offset.y}px`,
    rotate: `${offset.x * DEGREES_PER_PX}deg`,
    "--sure": leaving ? 1 : sure,
  } as CSSProperties;
  return (
    <div
      className={classes(css.card, top && css.top, held && css.held, leaving && css[leaving])}
      style={leaving ? undefined : style}
      aria-hidden={!top || undefined}
      {...(top ? handlers : {})}
    >
      <Picture
        src={pictureSource(picture.id, nsfw, picture.version)}
        alt={label}
        initial=" "
        sizes="(width < 40rem) 100vw, 30rem"
        eager
        placeholder={picture.placeholder}
        pixelated={picture.nsfw && !nsfw}
        pixelLabel={copy.editor.nsfw}
      />
      {verdict && (
        <span className={classes(css.verdict, css[`is${verdict}`])} aria-hidden="true">
          <Icon name={verdict === "LIKE" ? "heart-filled" : verdict === "DISLIKE" ? "meh" : "skip"} size={48} />
        </span>
      )}
      {!verdict && rating && rating !== "UNDETERMINED" && rating !== "ERROR" && (
        <span className={css.before}>
          <Icon name={rating === "LIKE" ? "heart-filled" : "meh"} size={18} />
          {copy.rate.rated[rating]}
        </span>
      )}
    </div>
  );
}
