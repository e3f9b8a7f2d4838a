import { useSyncExternalStore } from "react";
import { classes } from "./classes.ts";
import { type IconName, PATHS } from "./icon-paths.ts";

export type { IconName } from "./icon-paths.ts";

const paths: Partial<Record<IconName, string>> = { ...PATHS };
const listeners = new Set<() => void>();

/** Adds icons that were left out of a visitor's first page, also to what is on the screen. */
export function addIcons(more: Partial<Record<IconName, string>>): void {
  Object.assign(paths, more);
  for (const listener of listeners) listener();
}

function onAdded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function usePath(name: IconName): string {
  const read = () => paths[name] ?? "";
  return useSyncExternalStore(onAdded, read, read);
}

export interface IconProps {
  name: IconName;
  /** Width and height in pixels. */
  size?: number;
  className?: string;
}

/** Decorative: the surrounding control has the accessible name. */
export function Icon({ name, ...rest }: IconProps) {
  const hasDots = name === "dots" || name === "drag-handle" || name === "dice";
  return <Drawing path={usePath(name)} isFilled={name.endsWith("-filled")} width={hasDots ? 2.4 : 1.8} {...rest} />;
}

interface DrawingProps extends Omit<IconProps, "name"> {
  path: string;
  isFilled?: boolean;
  /** Of the stroke. */
  width?: number;
}

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
