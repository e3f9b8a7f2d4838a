import { useId } from "react";
import { niceTop } from "./bar-chart.tsx";
import css from "./line-chart.module.css";

export interface LineChartProps {
  title: string;
  /** Name of each point, oldest first: a time of day, a date. */
  points: readonly string[];
  /** One or two lines; a value that is not known leaves a gap. */
  lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  format: (value: number) => string;
  /** Drawn across, where a line must not get to. */
  limit?: { readonly name: string; readonly value: number };
  words: { readonly values: string; readonly time: string; readonly none: string };
}

const WIDTH = 600;
const HEIGHT = 120;

/** Numbers over time as lines; the same numbers stand in a table for whoever reads them by ear, or wants them exactly. */
export function LineChart({ title, points, lines, format, limit, words }: LineChartProps) {
  const id = useId();
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = niceTop(Math.max(0, ...known, limit?.value ?? 0)) || 4;
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
            {name} <strong>{latest(values, format)}</strong>
          </li>
        ))}
      </ul>
      {known.length === 0 ? (
        <p className={css.none}>{words.none}</p>
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
      {known.length > 0 && (
        <details className={css.details}>
          <summary>{words.values}</summary>
          <div className={css.scroll}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">{words.time}</th>
                  {lines.map(({ name }) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {points.map((point, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two points may have one name, and they never move.
                  <tr key={at}>
                    <th scope="row">{point}</th>
                    {lines.map(({ name, values }) => (
                      <td key={name}>{latest([values[at] ?? null], format)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </figure>
  );
}

function latest(values: readonly (number | null)[], format: (value: number) => string): string {
  const value = values.findLast((candidate) => candidate !== null);
  return value === undefined || value === null ? "–" : format(value);
}

/** The path of a line over the whole width; where nothing is known it is lifted. A point alone is a short stroke. */
export function linePath(values: readonly (number | null)[], width: number, y: (value: number) => number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const round = (number: number) => Math.round(number * 10) / 10;
  let drawing = false;
  let path = "";
  for (const [at, value] of values.entries()) {
    if (value === null) {
      drawing = false;
      continue;
    }
    path += `${drawing ? "L" : "M"}${round(at * step)} ${round(y(value))}`;
    const isAlone = !drawing && (values[at + 1] ?? null) === null;
    if (isAlone) path += "h4";
    drawing = true;
  }
  return path;
}
