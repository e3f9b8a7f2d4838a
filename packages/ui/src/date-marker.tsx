import css from "./date-marker.module.css";

export function DateMarker({ children, dateTime }: { children: string; dateTime?: string }) {
  return (
    <div className={`row gap-3 muted type-mark bold ${css.marker}`}>
      <time dateTime={dateTime}>{children}</time>
    </div>
  );
}
