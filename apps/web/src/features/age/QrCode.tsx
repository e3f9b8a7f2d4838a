import css from "./age.module.css";

/** The light margin that cameras need to find the code, in modules. */
const QUIET_ZONE = 4;

/** A QR code, dark on white in every theme so that cameras can read it. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const side = rows.length + 2 * QUIET_ZONE;
  const path = rows
    .flatMap((row, y) =>
      [...row].map((module, x) => (module === "1" ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : "")),
    )
    .join("");
  return (
    <svg className={css.qr} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path className={css.light} d={`M0 0h${side}v${side}H0z`} />
      <path className={css.dark} d={path} />
    </svg>
  );
}
