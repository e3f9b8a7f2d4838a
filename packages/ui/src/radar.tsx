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
      <g fill="none" stroke="var(--accent-text)" strokeOpacity="0.38" strokeWidth="1.2">
        {[34, 78, 126, 180, 240].map((radius) => (
          <circle key={radius} cx="276" cy="66" r={radius} />
        ))}
      </g>
      <path fill="var(--accent-text)" fillOpacity="0.14" d="M276 66 146-54A177 177 0 0 1 276-111z" />
      {DOTS.map(([x, y, r]) => (
        <circle key={`${x}`} fill="currentColor" cx={x} cy={y} r={r} />
      ))}
      <circle fill="var(--accent)" fillOpacity="0.26" cx="276" cy="66" r="17" />
      <circle fill="var(--accent)" cx="276" cy="66" r="9" />
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
