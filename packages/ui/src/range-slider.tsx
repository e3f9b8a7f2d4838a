import { type CSSProperties, type ReactNode, useId } from "react";
import css from "./range-slider.module.css";

export interface RangeSliderProps {
  label: ReactNode;
  min: number;
  max: number;
  step?: number;
  value: readonly [number, number];
  onChange: (value: [number, number]) => void;
  /** Names of the two thumbs, e.g. "Youngest" and "Oldest". */
  thumbLabels: readonly [string, string];
  /** How the chosen range reads, e.g. "25 to 40". */
  format: (value: readonly [number, number]) => string;
}

/** Two native range inputs on one track: keyboard, touch and screen readers come from the platform. */
export function RangeSlider(props: RangeSliderProps) {
  const { label, min, max, step = 1, value, onChange, thumbLabels, format } = props;
  const id = useId();
  const [low, high] = value;
  const share = (number: number) => (max === min ? 0 : (number - min) / (max - min));
  const span = { "--low": share(low), "--high": share(high) } as CSSProperties;
  return (
    <fieldset className={css.group} aria-labelledby={id}>
      <div className={css.head}>
        <span id={id} className={css.label}>
          {label}
        </span>
        <output className={css.value}>{format(value)}</output>
      </div>
      <div className={css.track} style={span}>
        <input
          type="range"
          // Where both thumbs lie at the top end only the lower one can still move, so it must be the upper layer.
          className={share(low) > 0.5 ? css.above : undefined}
          aria-label={thumbLabels[0]}
          min={min}
          max={max}
          step={step}
          value={low}
          onChange={(event) => onChange([Math.min(Number(event.target.value), high), high])}
        />
        <input
          type="range"
          aria-label={thumbLabels[1]}
          min={min}
          max={max}
          step={step}
          value={high}
          onChange={(event) => onChange([low, Math.max(Number(event.target.value), low)])}
        />
      </div>
    </fieldset>
  );
}
