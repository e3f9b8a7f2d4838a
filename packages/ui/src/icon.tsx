import { classes } from "./classes.ts";
import css from "./icon.module.css";
import { type IconName, PATHS } from "./icon-paths.ts";

export { ICON_NAMES, type IconName } from "./icon-paths.ts";

export interface IconProps {
  name: IconName;
  /** Width and height in pixels. */
  size?: number;
  className?: string;
}

/** Decorative: the surrounding control has the accessible name. */
export function Icon({ name, size = 24, className }: IconProps) {
  const hasDots = name === "dots" || name === "drag-handle" || name === "dice";
  return (
    <svg
      aria-hidden="true"
      className={classes(css.icon, className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name.endsWith("-filled") ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={hasDots ? 2.4 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
