import css from "./progress-bar.module.css";

export interface ProgressBarProps {
  /** 0 to 1; undefined if the duration is unknown. */
  value?: number;
  /** What is in progress, e.g. "Uploading pier.jpg". */
  label: string;
  showLabel?: boolean;
}

export function ProgressBar({ value, label, showLabel }: ProgressBarProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className="stack gap-2">
      {showLabel && (
        <div className="flex gap-4 between" aria-hidden="true">
          <span className="truncate" dir="auto">
            {label}
          </span>
          {percent !== undefined && <span>{percent}%</span>}
        </div>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className={`clip ${css.track}`}
      >
        <span
          className={percent === undefined ? css.unknown : css.bar}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
