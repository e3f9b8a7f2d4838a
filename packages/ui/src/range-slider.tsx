import { type CSSProperties, type ReactNode, useId } from "react";
import css from "./range-slider.module.css";

export interface RangeSliderProps {
  label: ReactNode;
  min: number;
  max: number;
  value: readonly [number, number];
  onChange: (value: [number, number]) => void;
  /** Accessible names of the two thumbs, e.g. "Youngest" and "Oldest". */
  thumbLabels: readonly [string, string];
  /** Formats the selected range, e.g. "25 to 40". */
  format: (value: readonly [number, number]) => string;
}

/** Two native range inputs on one track, so that keyboard, touch and screen readers work without extra code. */
export function RangeSlider(props: RangeSliderProps) {
  const { label, min, max, value, onChange, thumbLabels, format } = props;
  const id = useId();
  const [low, high] = value;
  const fraction = (number: number) => (max === min ? 0 : (number - min) / (max - min));
  const trackStyle = { "--low": fraction(low), "--high": fraction(high) } as CSSProperties;
  return (
    <fieldset aria-labelledby={id}>
      <div className="flex gap-4 between">
        <span id={id} className="bold">
          {label}
        </span>
        <output className="accent bold">{format(value)}</output>
      </div>
      <div className={`relative ${css.track}`} style={trackStyle}>
        <input
          type="range"
          // If both thumbs are at the maximum only the lower one can move, so it must be on top.
          className={fraction(low) > 0.5 ? css.above : undefined}
          aria-label={thumbLabels[0]}
          min={min}
          max={max}
          value={low}
          onChange={(event) => onChange([Math.min(Number(event.target.value), high), high])}
        />
        <input
          type="range"
          aria-label={thumbLabels[1]}
          min={min}
          max={max}
          value={high}
          onChange={(event) => onChange([low, Math.max(Number(event.target.value), low)])}
        />
      </div>
    </fieldset>
  );
}
