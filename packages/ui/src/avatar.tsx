import css from "./avatar.module.css";
import { Picture, type PictureProps } from "./picture.tsx";

export interface AvatarProps extends Pick<PictureProps, "src" | "pixelated" | "placeholder" | "initial"> {
  /** Width and height in pixels. */
  size?: number;
  /** Shows the online dot; `onlineLabel` is its accessible name. */
  online?: boolean;
  onlineLabel?: string;
}

/** A member's face, next to the name. */
export function Avatar({ size = 48, online, onlineLabel, ...picture }: AvatarProps) {
  return (
    <span className={`flex-none relative ${css.avatar}`} style={{ width: size, height: size }}>
      <Picture {...picture} alt="" aspect={1} round sizes={`${size}px`} />
      {online && (
        <span
          className={`circle ${css.dot}`}
          {...(onlineLabel ? { role: "img", "aria-label": onlineLabel } : { "aria-hidden": true })}
        />
      )}
    </span>
  );
}
