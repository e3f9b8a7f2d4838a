import { classes } from "./classes.ts";
import { type IconName, PATHS } from "./icon-paths.ts";

export { ICON_NAMES, type IconName } from "./icon-paths.ts";

export interface IconProps {
  name: IconName;
  /** Width and height in pixels. */
  size?: number;
  className?: string;
}

/** Decorative: the surrounding control has the accessible name. */
export function Icon({ name, ...rest }: IconProps) {
  const hasDots = name === "dots" || name === "drag-handle" || name === "dice";
  return <Drawing path={PATHS[name]} isFilled={name.endsWith("-filled")} width={hasDots ? 2.4 : 1.8} {...rest} />;
}

interface DrawingProps extends Omit<IconProps, "name"> {
  path: string;
  isFilled?: boolean;
  /** Of the stroke. */
  width?: number;
}

/** An icon that is not in icon-paths.ts, which every first screen loads. */
export function Drawing({ path, isFilled = false, width = 1.8, size = 24, className }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      className={classes("flex-none", className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}
