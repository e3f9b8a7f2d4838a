import css from "./icon.module.css";

export interface BrandMarkProps {
  /** Path data in a 24 x 24 box, from the brand. */
  path: string;
  /** Side in pixels. */
  size?: number;
  /** Given where the mark stands alone; beside the brand's name it is decoration. */
  label?: string;
}

export function BrandMark({ path, size = 32, label }: BrandMarkProps) {
  return (
    <svg
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={css.icon}
    >
      {label && <title>{label}</title>}
      <path d={path} fill="var(--accent-text)" />
    </svg>
  );
}
