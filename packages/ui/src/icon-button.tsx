import type { ButtonHTMLAttributes, Ref } from "react";
import { Badge } from "./badge.tsx";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import css from "./icon-button.module.css";
import { Link } from "./link.tsx";

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> {
  icon: IconName;
  /** The accessible name; also shown next to the icon while `showLabel` is true. */
  label: string;
  /** Shows the label, e.g. for 8 s after a press in the map's toolbar. */
  showLabel?: boolean;
  /** plain: no background. raised: with a background, for use over a map. accent: the screen's main action. picture: over a picture. */
  tone?: "plain" | "raised" | "accent" | "picture";
  size?: "normal" | "large";
  /** Unread count in the corner; 0 shows none. `badgeLabel` is its accessible text. */
  badge?: number;
  /** The badge shows e.g. "99+" beyond. */
  badgeMax?: number;
  badgeLabel?: string;
  /** For toggles: adds aria-pressed. */
  pressed?: boolean;
  href?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, showLabel, tone = "plain", size = "normal", badge, badgeMax, badgeLabel, ...others } = props;
  const { pressed, href, className, type = "button", ...rest } = others;
  const buttonClass = classes("film", css.button, css[tone], css[size], showLabel && css.open, className);
  const content = (
    <>
      <Icon name={icon} size={size === "large" ? 28 : 24} />
      <span className={`clip bold ${css.label}`}>{label}</span>
      {!!badge && (
        <span className={css.badge}>
          <Badge count={badge} max={badgeMax} label={badgeLabel} />
        </span>
      )}
    </>
  );
  if (href !== undefined) {
    return (
      <Link href={href} className={buttonClass}>
        {content}
      </Link>
    );
  }
  return (
    <button {...rest} type={type} className={buttonClass} aria-pressed={pressed}>
      {content}
    </button>
  );
}
