import css from "./radar.module.css";

/** A decorative drawing for the map: dots on rings around a point. The dots are not real members. */
export function Radar() {
  return (
    <svg
      className={`full-width full-height ${css.radar}`}
      viewBox="0 0 400 240"
      preserveAspectRatio="xMaxYMin slice"
      aria-hidden="true"
    >
      {[34, 78, 126, 180, 240].map((radius) => (
        <circle key={radius} className={css.ring} cx="276" cy="66" r={radius} />
      ))}
      <path className={css.sweep} d="M276 66 146-54A177 177 0 0 1 276-111z" />
      {DOTS.map(([x, y, r]) => (
        <circle key={`${x}`} className={css.dot} cx={x} cy={y} r={r} />
      ))}
      <circle className={css.halo} cx="276" cy="66" r="17" />
      <circle className={css.me} cx="276" cy="66" r="9" />
    </svg>
  );
}

const DOTS = [
  [250, 34, 5],
  [322, 86, 6],
  [214, 92, 5],
  [352, 34, 5],
  [300, 14, 4],
  [168, 40, 4],
  [386, 96, 4],
] as const;
