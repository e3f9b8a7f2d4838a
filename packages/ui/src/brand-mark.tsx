export interface BrandMarkProps {
  /** The brand's path data in a 24 x 24 box. */
  path: string;
  /** Width and height in pixels. */
  size?: number;
}

/** Decorative, since it stands next to the brand's name. */
export function BrandMark({ path, size = 32 }: BrandMarkProps) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" width={size} height={size} className="flex-none">
      <path d={path} fill="var(--accent-text)" />
    </svg>
  );
}
