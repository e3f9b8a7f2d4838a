export interface BrandMarkProps {
  /** The brand's path data in a 24 x 24 box. */
  path: string;
  /** Width and height in pixels. */
  size?: number;
  /** Accessible name if the mark stands alone; omit it next to the brand's name, where the mark is decoration. */
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
      className="flex-none"
    >
      {label && <title>{label}</title>}
      <path d={path} fill="var(--accent-text)" />
    </svg>
  );
}
