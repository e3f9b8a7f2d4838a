import { classes } from "./classes.ts";
import css from "./skeleton.module.css";

export interface SkeletonProps {
  /** block: a single shape. tiles, rows, profile: the shape of the content to come, so that nothing shifts when it loads. */
  shape?: "block" | "tiles" | "rows" | "profile";
  /** Tiles in half as many columns. */
  large?: boolean;
  /** How many tiles or rows. */
  count?: number;
  /** CSS lengths, for a block only. */
  width?: string;
  height?: string;
  /** Announced to screen readers, e.g. "Loading men near you". */
  label?: string;
}

export function Skeleton({ shape = "block", count = 6, width, height = "1em", label, large }: SkeletonProps) {
  const status = label ? { role: "status", "aria-label": label } : { "aria-hidden": true as const };
  if (shape === "tiles") {
    return (
      <div {...status} className="tile-room" data-large={large || undefined}>
        <div className="stack gap-hair tile-grid">
          {repeat(count, (index) => (
            <span key={index} className={classes(css.bone, css.tile)} />
          ))}
        </div>
      </div>
    );
  }
  if (shape === "rows") {
    return (
      <div {...status}>
        {repeat(count, (index) => (
          <div key={index} className={`row gap-3 ${css.row}`}>
            <span className={classes(css.bone, css.face)} />
            <span className={`stack gap-2 grow ${css.lines}`}>
              <span className={css.bone} style={{ width: `${28 + ((index * 17) % 24)}%` }} />
              <span className={css.bone} style={{ width: `${52 + ((index * 29) % 36)}%` }} />
            </span>
          </div>
        ))}
      </div>
    );
  }
  if (shape === "profile") {
    return (
      <div {...status} className={`stack ${css.profile}`}>
        <span className={classes(css.bone, css.tile)} />
        <span className={`stack gap-2 grow ${css.lines}`}>
          <span className={css.bone} style={{ width: "52%", height: 34 }} />
          <span className={css.bone} style={{ width: "30%" }} />
          <span className="wrap gap-2">
            {["84px", "112px", "68px", "96px"].map((chip) => (
              <span key={chip} className={classes(css.bone, css.chip)} style={{ width: chip }} />
            ))}
          </span>
          <span className={css.bone} style={{ width: "94%" }} />
          <span className={css.bone} style={{ width: "88%" }} />
          <span className={css.bone} style={{ width: "61%" }} />
        </span>
      </div>
    );
  }
  return <span {...status} className={css.bone} style={{ width, height }} />;
}

function repeat<T>(count: number, create: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => create(index));
}
