import { useId } from "react";
import css from "./bar-chart.module.css";

export interface BarChartProps {
  title: string;
  nameAxis: string;
  valueAxis: string;
  bars: readonly { readonly name: string; readonly value: number }[];
  format?: (value: number) => string;
}

/** A bar chart built from a table, so that it stays accessible to screen readers and the keyboard. */
export function BarChart({ title, nameAxis, valueAxis, bars, format = String }: BarChartProps) {
  const id = useId();
  const top = roundUpScale(Math.max(0, ...bars.map((bar) => bar.value)));
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className={css.title}>
        {title}
      </figcaption>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col" className={`muted text-start ${css.axis}`}>
              {nameAxis}
            </th>
            <th scope="col" className={`muted text-start ${css.axis}`}>
              {valueAxis}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.name}>
              <th scope="row" className={`text-start ${css.name}`}>
                {bar.name}
              </th>
              <td className={css.cell}>
                <span className={`row ${css.lane}`}>
                  <span
                    className={`flex-none ${css.bar}`}
                    style={{ width: `${top === 0 ? 0 : (bar.value / top) * 100}%` }}
                  />
                  <span className={css.value}>{format(bar.value)}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
        {top > 0 && (
          <tfoot aria-hidden="true">
            <tr>
              <td />
              <td className={`block relative muted type-mark ${css.scale}`}>
                {[0, 0.25, 0.5, 0.75, 1].map((share) => (
                  <span key={share} style={{ left: `${share * 100}%` }}>
                    {format(top * share)}
                  </span>
                ))}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </figure>
  );
}

/** The end of a chart's scale: a round number, divisible by four, that is not below the highest value. */
export function roundUpScale(highest: number): number {
  if (highest <= 0) return 0;
  const magnitude = 10 ** Math.floor(Math.log10(highest));
  const top = [1, 2, 4, 6, 8, 10].map((step) => step * magnitude).find((step) => step >= highest) ?? 10 * magnitude;
  return Math.max(4, Math.ceil(top / 4) * 4);
}
