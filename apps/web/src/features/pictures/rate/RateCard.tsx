import type { LikeType } from "@lambda/contract/likes";
import type { Picture as PictureMeta } from "@lambda/contract/pictures";
import { classes } from "@lambda/ui/classes";
import { Icon } from "@lambda/ui/icon";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../../api/picture-url.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./rate-stack.module.css";

export interface RateCardProps {
  picture: PictureMeta;
  label: string;
  /** The viewer's previous rating. */
  rating?: LikeType | undefined;
}

const VERDICT_ICONS = { LIKE: "heart-filled", DISLIKE: "meh", UNDETERMINED: "skip" } as const;
const VERDICTS = ["LIKE", "DISLIKE", "UNDETERMINED"] as const;

/** A picture to rate. The icon of each verdict fades in as the card is dragged in its direction. */
export function RateCard({ picture, label, rating }: RateCardProps) {
  const copy = useCopy(picturesCopy);
  const [nsfw] = useNsfw();
  return (
    <>
      <Picture
        src={pictureSource(picture.id, nsfw, picture.version)}
        alt={label}
        initial=" "
        sizes="(width < 40rem) 100vw, 30rem"
        eager
        placeholder={picture.placeholder}
        pixelated={picture.covered || (picture.nsfw && !nsfw)}
        pixelLabel={copy.editor.nsfw}
      />
      {VERDICTS.map((verdict) => (
        <span key={verdict} className={classes(css.verdict, css[verdict])} aria-hidden="true">
          <Icon name={VERDICT_ICONS[verdict]} size={48} />
        </span>
      ))}
      {rating && rating !== "UNDETERMINED" && rating !== "ERROR" && (
        <span className={`inline-row gap-2 radius-round bold ${css.before}`}>
          <Icon name={rating === "LIKE" ? "heart-filled" : "meh"} size={18} />
          {copy.rate.rated[rating]}
        </span>
      )}
    </>
  );
}
