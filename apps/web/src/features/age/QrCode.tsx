import css from "./age.module.css";

/** Light modules on each side, or a camera does not find the code. */
const QUIET = 4;

/** Dark on white in every theme: cameras want it so. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const side = rows.length + 2 * QUIET;
  const path = rows
    .flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
    .join("");
  return (
    <svg className={css.qr} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path className={css.light} d={`M0 0h${side}v${side}H0z`} />
      <path className={css.dark} d={path} />
    </svg>
  );
}
