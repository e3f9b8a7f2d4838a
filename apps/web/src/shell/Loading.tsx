import { useCopy } from "../format/i18n.ts";
import { shellCopy } from "./copy.ts";
import css from "./loading.module.css";

/** Stands in for a screen whose chunk is on its way: lighter than the skeletons that screens bring themselves. */
export function Loading() {
  const { loading } = useCopy(shellCopy);
  return (
    <div className={css.loading} role="status" aria-label={loading}>
      <span />
      <span />
      <span />
    </div>
  );
}
