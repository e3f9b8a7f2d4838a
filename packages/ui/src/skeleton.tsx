import { classes } from "./classes.ts";
import css from "./skeleton.module.css";

export interface SkeletonProps {
  /** block: one shape. tiles, rows, profile: the shape of what comes, so that nothing moves when it does. */
  shape?: "block" | "tiles" | "rows" | "profile";
  /** How many tiles or rows. */
  count?: number;
  /** Of a block, any CSS length. */
  width?: string;
  height?: string;
  round?: boolean;
  /** Said once to screen readers, e.g. "Loading men near you". */
  label?: string;
}

export function Skeleton({ shape = "block", count = 6, width, height = "1em", round, label }: SkeletonProps) {
  const say = label ? { role: "status", "aria-label": label } : { "aria-hidden": true as const };
  if (shape === "tiles") {
    return (
      <div {...say} className={css.room}>
        <div className={css.tiles}>
          {repeat(count, (at) => (
            <span key={at} className={classes(css.bone, css.tile)} />
          ))}
        </div>
      </div>
    );
  }
  if (shape === "rows") {
    return (
      <div {...say}>
        {repeat(count, (at) => (
          <div key={at} className={css.row}>
            <span className={classes(css.bone, css.face)} />
            <span className={css.lines}>
              <span className={css.bone} style={{ width: `${28 + ((at * 17) % 24)}%` }} />
              <span className={css.bone} style={{ width: `${52 + ((at * 29) % 36)}%` }} />
            </span>
          </div>
        ))}
      </div>
    );
  }
  if (shape === "profile") {
    return (
      <div {...say} className={css.profile}>
        <span className={classes(css.bone, css.picture)} />
        <span className={css.lines}>
          <span className={css.bone} style={{ width: "52%", height: 34 }} />
          <span className={css.bone} style={{ width: "30%" }} />
          <span className={css.chips}>
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
  return <span {...say} className={classes(css.bone, round && css.round)} style={{ width, height }} />;
}

function repeat<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
