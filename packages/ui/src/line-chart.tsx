import { useId } from "react";
import { roundUpScale } from "./bar-chart.tsx";
import css from "./line-chart.module.css";

export interface LineChartProps {
  title: string;
  /** Labels of the points, oldest first, e.g. times of day or dates. */
  points: readonly string[];
  /** One or two lines; null leaves a gap. */
  lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  format: (value: number) => string;
  /** A horizontal line that the values should stay below. */
  limit?: { readonly name: string; readonly value: number };
  labels: { readonly values: string; readonly time: string; readonly none: string };
}

const WIDTH = 600;
const HEIGHT = 120;

/** A line chart of values over time, with a table of the exact values, which also serves screen readers. */
export function LineChart({ title, points, lines, format, limit, labels }: LineChartProps) {
  const id = useId();
  const knownValues = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = roundUpScale(Math.max(0, ...knownValues, limit?.value ?? 0)) || 4;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  return (
    <figure className={css.chart} aria-labelledby={id}>
      <figcaption id={id} className={css.title}>
        {title}
      </figcaption>
      <ul className={css.legend}>
        {lines.map(({ name, values }) => (
          <li key={name}>
            <svg viewBox="0 0 24 8" className={css.key} aria-hidden="true">
              <path d="M1 4H23" className={css.line} />
            </svg>
            {name} <strong>{formatLatest(values, format)}</strong>
          </li>
        ))}
      </ul>
      {knownValues.length === 0 ? (
        <p className={css.none}>{labels.none}</p>
      ) : (
        <div className={css.plot} aria-hidden="true">
          <span className={css.top}>{format(top)}</span>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={css.drawing} aria-hidden="true">
            <path d={`M0 ${HEIGHT}H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 0H${WIDTH}`} className={css.grid} />
            {limit && <path d={`M0 ${y(limit.value)}H${WIDTH}`} className={css.limit} />}
            {lines.map(({ name, values }) => (
              <path key={name} d={linePath(values, WIDTH, y)} className={css.line} />
            ))}
          </svg>
          <span className={css.from}>{points[0]}</span>
          <span className={css.to}>{points.at(-1)}</span>
        </div>
      )}
      {knownValues.length > 0 && <ValueTable points={points} lines={lines} format={format} labels={labels} />}
    </figure>
  );
}

function ValueTable({ points, lines, format, labels }: Pick<LineChartProps, "points" | "lines" | "format" | "labels">) {
  return (
    <details className={css.details}>
      <summary>{labels.values}</summary>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{labels.time}</th>
              {lines.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and rows never move
              <tr key={index}>
                <th scope="row">{point}</th>
                {lines.map(({ name, values }) => (
                  <td key={name}>{formatLatest([values[index] ?? null], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Formats the last known value, or a dash if there is none. */
function formatLatest(values: readonly (number | null)[], format: (value: number) => string): string {
  const value = values.findLast((candidate) => candidate !== null);
  return value === undefined || value === null ? "–" : format(value);
}

/** SVG path data for a line over the whole width with gaps for null. An isolated value becomes a short stroke. */
export function linePath(values: readonly (number | null)[], width: number, y: (value: number) => number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const round = (number: number) => Math.round(number * 10) / 10;
  let isDrawing = false;
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    path += `${isDrawing ? "L" : "M"}${round(index * step)} ${round(y(value))}`;
    const isAlone = !isDrawing && (values[index + 1] ?? null) === null;
    if (isAlone) path += "h4";
    isDrawing = true;
  }
  return path;
}
