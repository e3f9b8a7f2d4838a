import { useShellCopy } from "./copy.ts";
import css from "./loading.module.css";
import { MissingScreen } from "./ScreenBoundary.tsx";

/** Placeholder while a screen's chunk loads. Smaller than the skeletons, which are part of the screens. A slow or dead line is named. */
export function Loading() {
  const { loading } = useShellCopy();
  return (
    <div className={`stack gap-4 ${css.loading}`} role="status" aria-label={loading}>
      <span />
      <span />
      <span />
      <MissingScreen />
    </div>
  );
}
